/** Calls that the code shows, by the registry's names and with the arguments that tools would get. */

import { parametersFirst, resolvePrefixes, type ToolEntry } from "#packs";
import { FINDING_LEVELS, type Validation } from "../../validate/types.ts";
import type { ValidationFinding } from "../../validate/types.ts";
import type { Question } from "../types.ts";

export interface LiteralCalls {
  /** In the order of the code; a builtin or a module comes once. */
  readonly questions: readonly LiteralQuestion[];
  /** Lines that call a tool; empty where other code, which cannot be followed, may call tools,
   * too. */
  readonly lines: ReadonlyMap<string, ReadonlySet<number>>;
}

export interface LiteralQuestion {
  /** Tool that is called; missing for code. */
  readonly entry?: ToolEntry;
  readonly question: Question;
  readonly pattern: string | undefined;
  readonly rule?: number;
}

/** Reads them off the findings of a program. */
export function literalCalls(
  { findings, open = false }: Validation,
  entries: () => readonly ToolEntry[],
): LiteralCalls {
  const questioned = findings.filter(({ level }) => FINDING_LEVELS[level] === "ask");
  if (questioned.length === 0) return { questions: [], lines: new Map() };
  const byName = entriesByName(entries());
  return {
    questions: withoutRepeatedCode(questioned.flatMap((finding) => questionsOf(finding, byName))),
    lines: open ? new Map() : linesOf(questioned, byName),
  };
}

/** Every name of a tool in code, its own first. */
export function namesOf(
  { pack, packKey, packSnake = packKey, tool, toolKey, snakeKey = toolKey, wire }: ToolEntry,
): readonly string[] {
  const names = new Set([tool, toolKey, snakeKey]);
  return [...new Set([pack, packKey, packSnake])]
    .flatMap((first) => [...names].map((second) => `${first}.${second}`))
    .concat(wire);
}

type EntriesByName = ReadonlyMap<string, ToolEntry>;

function entriesByName(entries: readonly ToolEntry[]): EntriesByName {
  const byName = new Map<string, ToolEntry>();
  for (const entry of entries) {
    for (const name of namesOf(entry)) if (!byName.has(name)) byName.set(name, entry);
  }
  return byName;
}

function questionsOf(
  { call, pattern }: ValidationFinding,
  byName: EntriesByName,
): LiteralQuestion[] {
  if (!call) return [];
  const entry = call.kind === undefined ? byName.get(call.tool) : undefined;
  if (!entry) return [{ question: call, pattern }];
  const { inputSchema } = entry.spec;
  const args = parametersFirst(resolvePrefixes(call.arguments, inputSchema), inputSchema);
  return [{ question: { ...call, tool: dotted(entry), arguments: args }, pattern, entry }];
}

function withoutRepeatedCode(questions: readonly LiteralQuestion[]): LiteralQuestion[] {
  const names = new Set<string>();
  return questions.filter(({ question: { kind, tool } }) => {
    return kind !== "code" || (!names.has(tool) && names.add(tool) !== undefined);
  });
}

function linesOf(questioned: readonly ValidationFinding[], byName: EntriesByName) {
  const lines = new Map<string, Set<number>>();
  for (const { name = "", line } of questioned) {
    const entry = byName.get(name);
    const tool = entry ? dotted(entry) : name;
    lines.set(tool, (lines.get(tool) ?? new Set()).add(line));
  }
  return lines;
}

function dotted({ pack, tool }: ToolEntry): string {
  return `${pack}.${tool}`;
}
