/** Reader of `tools/list`, page by page and tool by tool: an invalid entry costs that entry only. */

import { countParts, createTurns, isObject, type JsonObject, sizeAsJson } from "#base";
import type { JsonSchema, ToolSpec } from "../../types.ts";

/** Reason why an entry was left out, or the list was cut short. */
export interface ToolProblem {
  /** Name of the tool; null for an entry without a name. */
  readonly tool: string | null;
  readonly reason: string;
}

export interface ToolList {
  readonly tools: readonly ToolSpec[];
  readonly problems: readonly ToolProblem[];
}

const MAX_PAGES = 2_000;
/** Consecutive pages without a new tool after which the list is endless. */
const MAX_BARREN_PAGES = 10;
const MAX_TOOLS = 50_000;
const MAX_PROBLEMS = 100;
/** Characters of a cursor: all are kept while a list is read. */
const MAX_CURSOR = 8_000;
const MAX_NAME = 256;
/** Bytes of all names of a server: each becomes several, in the registry, for the type checker and in
 * every process of a program. */
const MAX_NAMES = 500_000;
const MAX_DEPTH = 100;
/** Characters of one tool, and of all tools of a server: each of its lists is compared with the last, and
 * searched. */
const MAX_TOOL = 1024 * 1024;
const MAX_CHARACTERS = 12 * MAX_TOOL;
/** Lists, objects and fields of one tool, and of all tools of a server: a megabyte of empty lists or of
 * short fields takes as long as many megabytes of text. */
const MAX_PARTS = 20_000;
const MAX_ALL_PARTS = 500_000;

const encoder = new TextEncoder();

/** Collects every usable tool. `page` requests one page and may throw.
 *
 * @example
 * ```ts ignore
 * const { tools, problems } = await readToolList((cursor) => connection.listTools(cursor, options));
 * ```
 */
export async function readToolList(
  page: (cursor: string | undefined) => Promise<unknown>,
): Promise<ToolList> {
  const tools = new Map<string, ToolSpec>();
  const problems: ToolProblem[] = [];
  const size: Size = { characters: 0, names: 0, parts: 0 };
  const progress = { pages: 0, barren: 0, cursors: new Set<string>() };
  const turn = createTurns();
  let cursor: string | undefined;
  for (;;) {
    const before = tools.size;
    const result = await page(cursor);
    const { entries, next } = readPage(result);
    if (!entries) problems.push({ tool: null, reason: "a page holds no list of tools" });
    for (const entry of entries ?? []) {
      addTool(entry, { tools, problems, size });
      if (fullness(size)) break;
      await turn();
    }
    const full = fullness(size);
    if (full !== undefined) problems.push({ tool: null, reason: full });
    if (next === undefined || full !== undefined) break;
    progress.pages++;
    progress.barren = tools.size === before ? progress.barren + 1 : 0;
    const reason = tools.size >= MAX_TOOLS
      ? `more than ${MAX_TOOLS} tools`
      : endless(progress, next);
    if (reason !== undefined) {
      problems.push({ tool: null, reason });
      break;
    }
    progress.cursors.add(next);
    cursor = next;
  }
  return { tools: [...tools.values()], problems: problems.slice(-MAX_PROBLEMS) };
}

function readPage(result: unknown): { entries?: unknown[]; next?: string } {
  if (!isObject(result)) return {};
  const { tools, nextCursor } = result;
  return {
    ...(Array.isArray(tools) ? { entries: tools } : {}),
    ...(typeof nextCursor === "string" && nextCursor !== "" ? { next: nextCursor } : {}),
  };
}

/** Reason to stop before the next page. */
function endless(
  progress: { pages: number; barren: number; cursors: ReadonlySet<string> },
  next: string,
): string | undefined {
  if (next.length > MAX_CURSOR) return `its cursor is over ${MAX_CURSOR} characters`;
  if (progress.cursors.has(next)) return "the same page was offered twice";
  if (progress.barren >= MAX_BARREN_PAGES) return "page after page brings no new tool";
  return progress.pages >= MAX_PAGES ? `more than ${MAX_PAGES} pages` : undefined;
}

interface Size {
  characters: number;
  /** Bytes of all names. */
  names: number;
  /** Lists, objects and fields. */
  parts: number;
}

/** Reason to read no further entry. */
function fullness({ characters, names, parts }: Size): string | undefined {
  if (names > MAX_NAMES) return "the names of its tools have over 500 kB: the rest is left out";
  if (parts > MAX_ALL_PARTS) return `the list has over ${MAX_ALL_PARTS} lists, objects and fields`;
  return characters > MAX_CHARACTERS ? "the list has over 12 MB" : undefined;
}

interface ListSoFar {
  readonly tools: Map<string, ToolSpec>;
  readonly problems: ToolProblem[];
  readonly size: Size;
}

/** Adds a tool, or why it is left out, and what it adds to the size. */
function addTool(entry: unknown, { tools, problems, size }: ListSoFar): void {
  const tool = readTool(entry);
  const isTaken = !("reason" in tool) && tools.has(tool.name);
  const problem = isTaken ? { tool: tool.name, reason: "its name is taken" } : tool;
  if ("reason" in problem) {
    if (problems.length < MAX_PROBLEMS) problems.push(problem);
    return;
  }
  if (tools.size >= MAX_TOOLS) return;
  size.characters += sizeAsJson(problem, MAX_TOOL);
  size.parts += countParts(problem, MAX_PARTS);
  size.names += encoder.encode(problem.name).length;
  if (size.names <= MAX_NAMES) tools.set(problem.name, problem);
}

/** Reads one entry as a tool, or as a problem. A tool is measured as it is kept: it passes again when
 * it is read from a file. */
export function readTool(entry: unknown): ToolSpec | ToolProblem {
  if (!isObject(entry)) return { tool: null, reason: "it is not an object" };
  const { name, title, description, inputSchema, outputSchema, annotations } = entry;
  if (typeof name !== "string" || name.trim() === "") {
    return { tool: null, reason: "it has no name" };
  }
  if (name.length > MAX_NAME) {
    return { tool: name.slice(0, MAX_NAME), reason: `its name is over ${MAX_NAME} characters` };
  }
  const tool = {
    name,
    ...(typeof title === "string" ? { title } : {}),
    description: typeof description === "string" ? description : "",
    inputSchema: inputSchema as JsonSchema,
    ...(isObject(outputSchema) ? { outputSchema: outputSchema as JsonSchema } : {}),
    ...(isObject(annotations) ? { annotations: annotations as JsonObject } : {}),
  };
  const reason = excessOf(tool);
  if (reason !== undefined) return { tool: name, reason };
  const problem = schemaProblem(inputSchema);
  if (problem) return { tool: name, reason: `its input schema ${problem}` };
  // A tool works without an output schema and annotations, so invalid ones are left out.
  if (schemaProblem(outputSchema)) delete tool.outputSchema;
  if (!isShallow(annotations)) delete tool.annotations;
  return tool;
}

/** Reason why a tool is too large. */
function excessOf(tool: ToolSpec): string | undefined {
  if (sizeAsJson(tool, MAX_TOOL) > MAX_TOOL) return "it has over 1 MB";
  return countParts(tool, MAX_PARTS) > MAX_PARTS
    ? `it has over ${MAX_PARTS} lists, objects and fields`
    : undefined;
}

function schemaProblem(schema: unknown): string | undefined {
  if (schema === undefined || schema === null) return "is missing";
  if (!isObject(schema)) return "is not an object";
  if (schema.$ref === "#") return "is nothing but itself";
  return isShallow(schema) ? undefined : `is nested over ${MAX_DEPTH} levels`;
}

function isShallow(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return false;
    level = level.flatMap((each) =>
      typeof each === "object" && each !== null
        ? Object.values(each).filter((inner) => typeof inner === "object" && inner !== null)
        : []
    );
  }
  return true;
}
