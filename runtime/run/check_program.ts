/** Stage of the type check: certain findings stop a program; doubtful ones, which rest on nothing
 * but the results seen so far, do not. */

import { isCallOf, packGoesBy, type Registry, type ToolEntry } from "#packs";
import type { Catalog } from "../catalog.ts";
import type {
  Checker,
  CheckOptions,
  CheckResult,
  CheckSource,
  Diagnostic,
} from "../check/types.ts";
import type { ReadyProgram } from "../program/types.ts";
import type { LearnedResult } from "../types/result_type.ts";

export interface CheckDeps {
  readonly checker: Checker;
  readonly catalog: Catalog;
  readonly registry: Registry;
  readonly learned: (entry: ToolEntry) => LearnedResult | undefined;
}

export type Verdict =
  | Exclude<CheckResult, { kind: "failed" }>
  | {
    readonly kind: "failed";
    readonly diagnostics: readonly Diagnostic[];
    /** Tools that the program names, where it is wrong about a result. */
    readonly about: readonly ToolEntry[];
  };

/** Tools that are tried one by one, to find the one that a finding is about. */
const MOST_TRIED = 8;

/** Checks again, with results of any type for some tools. They are named, since the tools of a pack
 * become new objects whenever those of another change. */
type Recheck = (isErased: (wire: string) => boolean) => Promise<CheckResult>;

/** Checks a program under the types of its tools. */
export async function checkProgram(
  program: ReadyProgram,
  deps: CheckDeps,
  options: CheckOptions,
): Promise<Verdict> {
  const { checker, catalog, registry, learned } = deps;
  const first = await checker.check(program.check, options);
  if (first.kind !== "failed") return first;
  const recheck: Recheck = (isErased) => {
    const declared = catalog.declarations(({ wire }) => !isErased(wire));
    return checker.check(program.check, { ...options, declared });
  };
  const entries = registry.entries().filter((entry) => isInReach(program, entry));
  const used = entries.filter((entry) => isUsed(program, entry));
  const seen = wiresOf(entries.filter((entry) => learned(entry) !== undefined));
  const plain = seen.size > 0 ? await recheck((wire) => seen.has(wire)) : first;
  if (plain.kind === "unchecked") return plain;
  const real = plain.kind === "failed" ? plain.diagnostics : [];
  const certain = certainOf(first.diagnostics.filter(isMissingIn(real)), program.check);
  if (real.length + certain.length === 0) {
    checker.accept(program.check);
    return { kind: "passed" };
  }
  const tried = used.filter(({ wire }) => seen.has(wire)).slice(0, MOST_TRIED);
  const explained = await Promise.all(
    certain.map((item) => withCalls(item, tried, { recheck, learned })),
  );
  const isAbout = explained.length > 0 || await isAboutResults(real, used, recheck);
  return {
    kind: "failed",
    diagnostics: [...explained, ...real].sort(byPlace),
    about: isAbout ? used : [],
  };
}

function isInReach({ servers }: ReadyProgram, entry: ToolEntry): boolean {
  return servers === null || [...servers].some((name) => packGoesBy(entry, name));
}

function isUsed({ toolCalls }: ReadyProgram, entry: ToolEntry): boolean {
  return toolCalls.some((call) => isCallOf(entry, call));
}

function wiresOf(entries: readonly ToolEntry[]): ReadonlySet<string> {
  return new Set(entries.map(({ wire }) => wire));
}

function isMissingIn(others: readonly Diagnostic[]): (item: Diagnostic) => boolean {
  const keys = new Set(others.map(keyOf));
  return (item) => !keys.has(keyOf(item));
}

function byPlace(a: Diagnostic, b: Diagnostic): number {
  return a.file === b.file ? a.line - b.line || a.column - b.column : 0;
}

function keyOf({ file, line, column, code }: Diagnostic): string {
  return JSON.stringify([file, line, column, code]);
}

/** Adds to a finding in how many calls the result had this type: calls of the tool without whose
 * type the finding disappears. */
async function withCalls(
  item: Diagnostic,
  tried: readonly ToolEntry[],
  { recheck, learned }: { readonly recheck: Recheck } & Pick<CheckDeps, "learned">,
): Promise<Diagnostic> {
  let about = tried[0];
  for (const entry of tried.length > 1 ? tried : []) {
    const result = await recheck((wire) => wire === entry.wire);
    if (result.kind === "failed" && !isMissingIn(result.diagnostics)(item)) continue;
    about = entry;
    break;
  }
  const calls = about && learned(about)?.calls;
  const where = about && calls !== undefined
    ? `in ${calls} call${calls === 1 ? "" : "s"} of ${about.pack}.${about.tool}`
    : "in all calls";
  const message = `${item.message} It was seen so ${where}: where it can be otherwise, ` +
    "`as any` behind the value goes on";
  return { ...item, message };
}

/** Returns true if a finding disappears once results have no types. */
async function isAboutResults(
  real: readonly Diagnostic[],
  used: readonly ToolEntry[],
  recheck: Recheck,
): Promise<boolean> {
  if (!used.some(({ spec }) => spec.outputSchema)) return false;
  const wires = wiresOf(used);
  const bare = await recheck((wire) => wires.has(wire));
  if (bare.kind === "unchecked") return false;
  return bare.kind === "passed" || real.some(isMissingIn(bare.diagnostics));
}

/** Single type that the compiler names; a union comes from what the program does itself. */
const TYPE = "'(?<type>[^|]*)'";
const NO_PROPERTY = new RegExp(`^Property '.*' does not exist on type ${TYPE}`, "s");
const NO_FUNCTION = new RegExp(`Type ${TYPE} has no call signatures`, "s");
const NOT_ITERABLE = new RegExp(`^Type ${TYPE}`, "s");
const RULES: Readonly<Record<number, RegExp>> = {
  2339: NO_PROPERTY,
  2551: NO_PROPERTY,
  2349: NO_FUNCTION,
  2461: NOT_ITERABLE,
  2488: NOT_ITERABLE,
  2495: NOT_ITERABLE,
  2548: NOT_ITERABLE,
  2549: NOT_ITERABLE,
};
/** Finding that the program puts a value of another type where `type` is expected: it may then use
 * that value under the name of this type. */
const ASSIGNED =
  /^(?:Type|Argument of type) '.*' is not assignable to (?:parameter of )?type '(?<type>.*)'/s;
const PLAIN = /^(?:string|number|boolean|.*\[\])$/si;
const VAGUE = /\b(?:undefined|null|never)\b/;
/** Call of a property, or access to a part of it, in the text behind its name. */
const USED = /^\s*(?:!\s*)?(?:\(|\[|`|\.(?!\.))/;
/** Lines that are read behind a name. */
const MOST_LINES = 20;

/** Operators that choose between values: of their types the compiler names one. */
const CHOICE = /[?]|[|]{2}|&&/;

/** Returns the certain findings. Drops those about a property that the program also tests without
 * using it (`x.map ? …`), and those about a type to which it assigns another. */
export function certainOf(doubtful: readonly Diagnostic[], source: CheckSource): Diagnostic[] {
  const lines = createLines(source);
  const assigned = new Set(doubtful.map(({ message }) => ASSIGNED.exec(message)?.groups?.type));
  const matching = doubtful.filter((item) => {
    const rule = RULES[item.code];
    const type = rule?.exec(item.message)?.groups?.type;
    if (type === undefined || assigned.has(type)) return false;
    if (rule !== NOT_ITERABLE) return PLAIN.test(type);
    return !VAGUE.test(type) && !CHOICE.test(textAt(item, lines(item.file)).subject);
  });
  const tested = new Set(
    matching.filter((item) =>
      RULES[item.code] === NO_PROPERTY && !USED.test(textAt(item, lines(item.file)).after)
    )
      .map(({ message }) => message),
  );
  return matching.filter(({ message }) => !tested.has(message));
}

/** The text that a finding is about, and the text behind it. */
function textAt(item: Diagnostic, lines: readonly string[]): { subject: string; after: string } {
  const { line, column, end_line, end_column } = item;
  const last = lines[end_line - 1] ?? "";
  const rest = lines.slice(end_line, end_line + MOST_LINES);
  const inner = lines.slice(line - 1, end_line - 1);
  const subject = [...inner, last.slice(0, end_column - 1)].join("\n").slice(column - 1);
  return { subject, after: [last.slice(end_column - 1), ...rest].join("\n") };
}

/** Makes a function that gives the lines of a file, each file cut once. */
function createLines({ files }: CheckSource): (file: string) => readonly string[] {
  const cut = new Map<string, readonly string[]>();
  return (file) => {
    const lines = cut.get(file) ?? (files.get(file) ?? "").split(/\r\n|[\n\r\u2028\u2029]/);
    cut.set(file, lines);
    return lines;
  };
}
