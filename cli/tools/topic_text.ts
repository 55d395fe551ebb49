/** Text of the value of `ot.help`, for a person. */

import { isObject } from "#base";
import { type NamedItem, namesTable } from "./table.ts";

/** Formats one entry in full, or lists of matches. */
export function topicText(value: Record<string, unknown>, columns: number): string {
  const { name, description, ...rest } = value;
  const head = [name, description].filter((text) => typeof text === "string" && text !== "");
  const sections = Object.entries(rest).map(([key, item]) => section(key, item, columns));
  return [...head.map(String), ...joined(sections)].join("\n\n");
}

/** Groups short lines; longer sections stay apart. */
function joined(sections: readonly string[]): string[] {
  const blocks: string[] = [];
  let lines: string[] = [];
  for (const text of sections) {
    if (!text.includes("\n")) {
      lines.push(text);
      continue;
    }
    if (lines.length > 0) blocks.push(lines.join("\n"));
    lines = [];
    blocks.push(text);
  }
  return lines.length > 0 ? [...blocks, lines.join("\n")] : blocks;
}

function section(key: string, item: unknown, columns: number): string {
  const label = `${key[0]?.toUpperCase() ?? ""}${key.slice(1).replaceAll("_", " ")}:`;
  if (Array.isArray(item)) return [label, ...indented(listText(item, columns - 2))].join("\n");
  if (isObject(item)) {
    const rows = Object.entries(item).map(([name, of]) => ({ name, description: plain(of) }));
    return [label, ...indented(namesTable(rows, columns - 2))].join("\n");
  }
  const text = plain(item);
  return text.includes("\n") ? [label, ...indented(text)].join("\n") : `${label} ${text}`;
}

function listText(items: readonly unknown[], columns: number): string {
  if (items.every(isNamedItem)) return namesTable(items, columns);
  return items.map(plain).join("\n");
}

function isNamedItem(item: unknown): item is NamedItem {
  return isObject(item) && typeof item.name === "string" && typeof item.description === "string";
}

function plain(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value) ?? "";
}

function indented(text: string): string[] {
  return text.trimEnd().split("\n").map((line) => `  ${line}`.trimEnd());
}
