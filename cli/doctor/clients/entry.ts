/** Entry of Toolscript in a client's file, held against the one that `connect` writes. */

import { isAbsolute } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { isObject } from "#base";
import { exists } from "../../connect/client_file.ts";
import type { Client, Entry, Start } from "../../connect/clients.ts";

/** Result of the comparison, before anything is started. */
export type EntryState =
  | { readonly kind: "same"; readonly start: Start }
  | { readonly kind: "off" }
  | { readonly kind: "gone"; readonly path: string }
  | { readonly kind: "different" };

/** Fields that change nothing about the process: an entry that differs in them alone is ours. */
const INERT = new Set([
  ...["alwaysAllow", "alwaysLoad", "autoApprove", "description", "disabled", "disabledTools"],
  ...["disabled_tools", "enabled", "enabledTools", "enabled_tools", "excludeTools", "includeTools"],
  ...["source", "startup_timeout_sec", "timeout", "tool_timeout_sec", "trust", "type"],
]);
const MOST_WORDS = 64;

/** Compares an entry with the one that `connect` would write for `start`. Only one that is the same is
 * safe to start: a project's file may be anyone's. */
export function stateOf(
  entry: Entry,
  { client, start }: { readonly client: Client; readonly start: Start },
): EntryState {
  const own = client.read?.(entry) ?? entry;
  if (own.disabled === true || own.enabled === false) return { kind: "off" };
  const words = wordsOf(own);
  const expected = { ...start, args: withFolder(start.args, words) };
  const written = client.entry(expected);
  const gone = words.find((word) => isAbsolute(word) && !exists(word));
  if (gone !== undefined) return { kind: "gone", path: gone };
  const isSame = isDeepStrictEqual(launchOf(own), launchOf(client.read?.(written) ?? written));
  return isSame ? { kind: "same", start: expected } : { kind: "different" };
}

/** Command line of an entry; what is not text in it is left out. */
function wordsOf({ command, args }: Entry): readonly string[] {
  const words = [command, ...Array.isArray(args) ? args.slice(0, MOST_WORDS) : []];
  return words.filter((word) => typeof word === "string");
}

/** Arguments with the folder that the entry names, where `connect` writes one. */
function withFolder(args: readonly string[], words: readonly string[]): readonly string[] {
  const at = args.indexOf("--project") + 1;
  const folder = words.at(-1);
  if (at === 0 || folder === undefined || !isAbsolute(folder)) return args;
  return args.with(at, folder);
}

/** The fields that make the process; an empty environment counts as missing. */
function launchOf(entry: Entry): Entry {
  return Object.fromEntries(
    Object.entries(entry).filter(([name, value]) =>
      !INERT.has(name) &&
      !(name === "env" && isObject(value) && Object.keys(value).length === 0)
    ),
  );
}
