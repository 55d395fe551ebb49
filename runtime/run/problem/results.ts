/** Result types of tools, at the end of a reply that tells of a wrong use of them. */

import type { JsonObject } from "#base";
import type { ToolEntry } from "#packs";
import { type Learned, resultType } from "../../types/result_type.ts";
import type { Explained } from "./problem.ts";

const TITLE = "Results so far:";
const LONGEST = 800;
/** Shortest type that is worth a line. */
const SHORTEST = 12;

/** Adds a line for each tool: `shop.list → { id: number }[]`, in all at most 800 characters. */
export function withResults(
  { text, error }: Explained,
  tools: readonly ToolEntry[],
  learned: Learned,
): Explained {
  const results = resultsOf(tools, learned);
  if (results.length === 0) return { text, error };
  const lines = results.map(({ tool, shape }) => lineOf(tool, shape));
  const details: JsonObject = { ...error.details, results };
  return { text: `${text}\n\n${[TITLE, ...lines].join("\n")}`, error: { ...error, details } };
}

function resultsOf(tools: readonly ToolEntry[], learned: Learned) {
  const shapeOf = (entry: ToolEntry, most?: number) => resultType(entry, learned, most).text;
  const typed = tools.filter((entry) => resultType(entry, learned).origin !== "none");
  const rows = typed.map((entry) => ({
    entry,
    tool: `${entry.pack}.${entry.tool}`,
    shape: shapeOf(entry),
  }));
  let left = LONGEST - TITLE.length;
  const short = rows.toSorted((a, b) => a.shape.length - b.shape.length);
  // Short types leave their room to long ones.
  const texts = new Map(short.map(({ entry, tool, shape }, at) => {
    const share = Math.floor(left / (short.length - at)) - lineOf(tool, "").length - 1;
    const cut = shape.length <= share ? shape : share < SHORTEST ? "" : shapeOf(entry, share);
    if (cut !== "") left -= lineOf(tool, cut).length + 1;
    return [entry, cut];
  }));
  return rows.flatMap(({ entry, tool }) => {
    const shape = texts.get(entry) ?? "";
    return shape === "" ? [] : [{ tool, shape }];
  });
}

function lineOf(tool: string, shape: string): string {
  return `${tool} → ${shape}`;
}
