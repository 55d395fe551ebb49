/** Edits of a client's file in place: comments, order and all else stay as they are. */

import { isObject } from "#base";
import { type Change, FileProblem } from "./client_file.ts";
import type { Client, Entry } from "./clients.ts";
import { editJson, parseJson } from "./json_file.ts";
import { editToml, parseToml } from "./toml_file.ts";

type Format = Pick<Client, "format" | "key">;

/** Servers in the text of a file, by name. Throws `FileProblem` with the line. */
export function serversIn(text: string, { format, key }: Format): ReadonlyMap<string, Entry> {
  const root = text.trim() === "" ? {} : format === "json" ? parseJson(text) : parseToml(text);
  if (!isObject(root)) throw new FileProblem("1:1: it is not a map of settings");
  const servers = root[key] ?? {};
  if (!isObject(servers)) throw new FileProblem(`"${key}" is not a map of servers`);
  const entries = Object.entries(servers);
  return new Map(entries.map(([name, entry]) => [name, isObject(entry) ? { ...entry } : {}]));
}

/** The text with the change. Throws `FileProblem` where it cannot be made in place. */
export function edit(text: string, change: Change, { format, key }: Format): string {
  const edited = format === "json" ? editJson(text, change, key) : editToml(text, change, key);
  const servers = serversIn(edited, { format, key });
  const isDone = Object.keys(change.set).every((name) => servers.has(name)) &&
    !change.remove.some((name) => servers.has(name));
  if (!isDone) throw new FileProblem(`"${key}" cannot be changed in place: change it by hand`);
  return edited;
}
