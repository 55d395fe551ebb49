/** `toolscript gateway reload`: reloads the configuration of the gateway of this project. */

import { isObject } from "#base";
import { findProject } from "#config";
import { isSameFolder } from "#files";
import { findGateways } from "#gateway/running";
import { createClient, GatewayError } from "../client.ts";
import type { Context } from "../context.ts";
import { CliError } from "../error.ts";

export async function reload(context: Context): Promise<number> {
  const { io, print, options } = context;
  const answers = await reloadGateways(context);
  if (answers.length === 0) {
    const project = await findProject(io);
    throw new CliError(3, `Cannot reload the gateway: none runs for "${project}"`);
  }
  if (options.json === true) await print.json(answers);
  else for (const answer of answers) await print.data(changesIn(answer));
  return 0;
}

/** Reloads the configuration of every gateway of the project, by default of the shared ones alone;
 * returns their answers. */
export async function reloadGateways(
  { io, print }: Context,
  { isPrivateToo = false } = {},
): Promise<readonly unknown[]> {
  const project = await findProject(io);
  const answers: unknown[] = [];
  for (const entry of await findGateways(io.home)) {
    if (!(entry.shared || isPrivateToo) || !isSameFolder(entry.project, project)) continue;
    const client = createClient({ ...entry, fetch: io.fetch });
    const result = await client.callOt("reload").catch((error) => {
      // A refusal is always about the configuration.
      if (error instanceof GatewayError) throw new CliError(2, error.message, { cause: error });
      throw error;
    });
    answers.push({ url: entry.url, ...(isObject(result) ? result : {}) });
    await print.say(`Reloaded ${entry.url}`);
  }
  return answers;
}

/** Formats `servers: added docs, removed old`, one line for each section. */
function changesIn(answer: unknown): string {
  const changed = isObject(answer) && isObject(answer.changed)
    ? Object.entries(answer.changed)
    : [];
  if (changed.length === 0) return "Nothing has changed";
  return changed.map(([section, what]) => {
    if (Array.isArray(what)) return `${section}: ${what.join(", ")}`;
    const parts = Object.entries(isObject(what) ? what : {})
      .map(([kind, names]) => `${kind} ${Array.isArray(names) ? names.join(", ") : ""}`);
    return `${section}: ${parts.join("; ")}`;
  }).join("\n");
}
