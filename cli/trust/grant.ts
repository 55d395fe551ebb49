/** Trust in a project, granted by the person at the terminal. */

import { type Trust, writeTrust } from "#config";
import type { RunReply } from "#runtime";
import { loadAnew, loadReadable } from "../config.ts";
import type { Context } from "../context.ts";
import { CliError } from "../error.ts";
import { reloadGateways } from "../gateway/reload.ts";
import { trustPrompt, trustQuestion } from "./show.ts";

/** Stores the trust in the listed items, and reloads running gateways. */
export async function grant(
  context: Context,
  { project, hash, unread, tools, secrets, items }: Trust,
): Promise<void> {
  if (hash === undefined) {
    const state = unread === undefined
      ? "its configuration cannot be read whole: make it smaller"
      : `its .onetool/tools cannot be read whole: ${unread}`;
    throw new CliError(1, `Cannot trust "${project}": ${state}`);
  }
  await writeTrust(context.io.home, project, { hash, tools, secrets, ...items });
  await reloadGateways(context, { isPrivateToo: true });
}

/** Asks the person at the terminal to trust an untrusted project; resolves with true once it is
 * trusted. `signal` takes the question back. */
export async function askTrust(
  context: Context,
  trust: Trust,
  signal?: AbortSignal,
): Promise<boolean> {
  const { io: { person }, print } = context;
  if (trust.kind !== "untrusted" || !person) return false;
  const text = (columns: number) => trustQuestion(trust, columns);
  const prompt = `${trustPrompt(trust)} [y/N] `;
  const answer = await print.ask({ text, prompt }, { person, signal });
  if (signal?.aborted) return false;
  const isTrusted = /^\s*y(es)?\s*$/i.test(answer ?? "");
  if (isTrusted) await grant(context, trust);
  await recordAnswer(context, isTrusted);
  return isTrusted;
}

/** Keeps the answer in the audit. */
async function recordAnswer(context: Context, isTrusted: boolean): Promise<void> {
  const config = await loadReadable(context);
  if (!config) return;
  const [{ auditOfTrust }, { recordRows }] = await Promise.all([
    import("#runtime/stats"),
    import("../stats/record_rows.ts"),
  ]);
  await recordRows(config, { at: context.io.now(), audit: auditOfTrust(isTrusted, "terminal") });
}

/** Runs once, and again if the first run failed only for lack of trust that was granted then. */
export async function runTrusting(
  context: Context,
  signal: AbortSignal,
  once: () => Promise<RunReply>,
): Promise<RunReply> {
  const reply = await once();
  const { error, calls } = reply;
  if (error?.details.reason !== "untrusted" || calls > 0 || !context.io.person) return reply;
  const { trust } = await loadAnew(context);
  return await askTrust(context, trust, signal) ? await once() : reply;
}
