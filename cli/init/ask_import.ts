/** Question about the servers of other clients, before they are taken over. */

import { escapeUnseen } from "#base";
import { OWN_NAME } from "../connect/clients.ts";
import type { Context } from "../context.ts";
import { readLine } from "../exec/read_line.ts";
import { nearPath } from "../near_path.ts";
import type { ClientServer } from "./client_files.ts";

const MOST_NAMES = 20;
const MOST_LETTERS = 64;

/** Asks for each file whether its servers are taken over, and returns those that are; all of them
 * without a person, or where data is printed. */
export async function askImport(
  { io: { person }, options, print }: Context,
  servers: readonly ClientServer[],
  base: string,
): Promise<readonly ClientServer[]> {
  if (!person || options.json === true) return servers;
  const chosen: ClientServer[] = [];
  for (const [file, all] of Map.groupBy(servers, (server) => server.file)) {
    const names = all.map(({ name }) => name).filter((name) => name !== OWN_NAME);
    const question = `${nearPath(file, base)}: ${list(names)}\nTake over? [Y/n] `;
    const answer = names.length === 0 ? "" : await readLine(question, { person, print });
    if (/^\s*(y(es)?)?\s*$/i.test(answer ?? "no")) chosen.push(...all);
  }
  return chosen;
}

function list(names: readonly string[]): string {
  const some = names.slice(0, MOST_NAMES).map((name) => escapeUnseen(name.slice(0, MOST_LETTERS)));
  const more = names.length - some.length;
  return more > 0 ? `${some.join(", ")} and ${more} more` : some.join(", ");
}
