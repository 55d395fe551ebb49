/** Edits of a client's file in place: comments, order and all else stay as they are. */

import { isDeepStrictEqual } from "node:util";
import { isObject } from "#base";
import { type Change, FileProblem } from "./client_file.ts";
import type { Client, Entry } from "./clients.ts";
import { editJson, parseJson } from "./json_file.ts";
import { editToml, parseToml } from "./toml_file.ts";

type Format = Pick<Client, "format" | "key">;

/** Servers in the text of a file, by name. Throws `FileProblem` with the line. */
export function serversIn(text: string, { format, key }: Format): ReadonlyMap<string, Entry> {
  const root = text.trim() === "" ? {} : format === "json" ? parseJson(text, key) : parseToml(text);
  if (!isObject(root)) throw new FileProblem("1:1: it is not a map of settings");
  const servers = root[key] ?? {};
  if (!isObject(servers)) throw new FileProblem(`"${key}" is not a map of servers`);
  const entries = Object.entries(servers);
  return new Map(entries.map(([name, entry]) => [name, isObject(entry) ? { ...entry } : {}]));
}

/** The text with the change. Throws `FileProblem` where an edit in place would leave other servers
 * than those of the change. */
export function edit(text: string, change: Change, { format, key }: Format): string {
  const expected = new Map(serversIn(text, { format, key }));
  for (const name of change.remove) expected.delete(name);
  for (const [name, entry] of Object.entries(change.set)) expected.set(name, entry);
  const edited = format === "json" ? editJson(text, change, key) : editToml(text, change, key);
  if (isDeepStrictEqual(serversIn(edited, { format, key }), expected)) return edited;
  throw new FileProblem(`"${key}" cannot be changed in place: change it by hand`);
}
