/** TOML: parsed with the place of an error, tables replaced and removed in place. */

import { parse, stringify, TomlError } from "smol-toml";
import { type AST, parseTOML } from "toml-eslint-parser";
import { type Change, FileProblem } from "./client_file.ts";

export function parseToml(text: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [reason = ""] = error.message.split("\n");
    throw new FileProblem(`${error.line}:${error.column}: ${reason}: correct it there`);
  }
}

export function editToml(text: string, { set, remove }: Change, key: string): string {
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  let edited = text;
  for (const name of remove) edited = replace(edited, { path: [key, name], table: "" });
  for (const [name, entry] of Object.entries(set)) {
    const table = stringify({ [key]: { [name]: entry } }).replaceAll("\n", eol);
    edited = replace(edited, { path: [key, name], table });
  }
  return edited;
}

interface Range {
  readonly start: number;
  readonly end: number;
}

/** Puts a table in place of that at `path` and of all below it, or at the end. */
function replace(
  text: string,
  { path, table }: { readonly path: readonly string[]; readonly table: string },
): string {
  const [first, ...others] = rangesOf(text, path);
  if (first === undefined) return table === "" ? text : append(text, table);
  let edited = text;
  for (const range of others.reverse()) edited = cut(edited, range, "");
  return cut(edited, first, table);
}

function append(text: string, table: string): string {
  const eol = table.includes("\r\n") ? "\r\n" : "\n";
  if (text.trim() === "") return text + table;
  return `${text}${text.endsWith("\n") ? "" : eol}${eol}${table}`;
}

/** Replaces whole lines; with nothing in their place, the empty line before them goes too. */
function cut(text: string, { start, end }: Range, table: string): string {
  const next = text.indexOf("\n", end);
  const rest = next === -1 ? "" : text.slice(next + 1);
  const head = text.slice(0, start);
  return (table === "" ? head.replace(/(^|\n)\r?\n$/, "$1") : head) + table + rest;
}

/** Tables and keys at `path` or below it, in the order of the text. */
function rangesOf(text: string, path: readonly string[]): Range[] {
  const [top] = parseTOML(text).body;
  return top.body.flatMap((node) => {
    if (node.type === "TOMLTable") {
      if (isBelow(node.resolvedKey, path)) return [rangeOf(node)];
      const prefix = node.resolvedKey;
      return node.body.filter((pair) => isBelow([...prefix, ...keysOf(pair)], path)).map(rangeOf);
    }
    return isBelow(keysOf(node), path) ? [rangeOf(node)] : [];
  });
}

function keysOf({ key }: AST.TOMLKeyValue): string[] {
  return key.keys.map((part) => part.type === "TOMLBare" ? part.name : part.value);
}

function isBelow(keys: readonly (string | number)[], path: readonly string[]): boolean {
  return path.every((part, index) => keys[index] === part);
}

function rangeOf({ range: [start, end] }: AST.TOMLNode): Range {
  return { start, end };
}
