/** Trust in a project, given by the person at the terminal. */

import { type Trust, writeTrust } from "#config";
import type { RunReply } from "#runtime";
import { loadAnew } from "../config.ts";
import type { Context } from "../context.ts";
import { CliError } from "../error.ts";
import { reloadGateways } from "../gateway/reload.ts";
import { escapeControls } from "../terminal.ts";
import { trustText } from "./show.ts";

const QUESTION = "Trust what this project starts? [y/N] ";

/** Stores what was shown, and has running gateways take it in. */
export async function grant(context: Context, { project, hash, items }: Trust): Promise<void> {
  if (hash === undefined) {
    throw new CliError(1, `Cannot trust "${project}": .onetool/tools holds too much to be read`);
  }
  await writeTrust(context.io.home, project, { hash, ...items });
  await reloadGateways(context);
}

/** Asks where nobody trusts the project and somebody sits at a terminal; answers whether it is
 * trusted now. */
export async function askTrust(context: Context, trust: Trust): Promise<boolean> {
  const { io: { person }, print } = context;
  if (trust.kind !== "untrusted" || !person) return false;
  const head = `The project ${escapeControls(JSON.stringify(trust.project))} is not trusted.`;
  await print.raw("stderr", `${head}\n${trustText(trust)}\n${QUESTION}`);
  const answer = await person.readLine();
  if (!/^\s*y(es)?\s*$/i.test(answer ?? "")) return false;
  await grant(context, trust);
  return true;
}

/** Runs once, and a second time where the first failed for trust alone that is given now. */
export async function runTrusting(
  context: Context,
  once: () => Promise<RunReply>,
): Promise<RunReply> {
  const reply = await once();
  const { error, calls } = reply;
  if (error?.details.reason !== "untrusted" || calls > 0 || !context.io.person) return reply;
  const { trust } = await loadAnew(context);
  return await askTrust(context, trust) ? await once() : reply;
}
