/** Reads the end of a program as its loader posted it. A program can forge it: all of it is checked. */

import {
  attempt,
  isNestedOver,
  isObject,
  type JsonObject,
  type JsonValue,
  parseLarge,
} from "#base";
import type { Frame, Outcome } from "./outcome.ts";
import type { Limits } from "./types.ts";

/** Levels that recursive readers of the value can take. */
const DEEPEST = 512;
const LONGEST_NAME = 200;

export interface ReportOptions {
  /** The address of the program's modules, its secret concealed as in the report. */
  readonly base: string;
  readonly limits: Limits;
  readonly modules: ReadonlyMap<string, string>;
}

/** A posted value: JSON text. */
export async function readValue(text: string): Promise<Outcome> {
  if (isNestedOver(text, DEEPEST)) return garbled;
  try {
    return { kind: "value", value: await parseLarge(text) as JsonValue };
  } catch {
    return garbled; // Not JSON.
  }
}

/** A posted report of an end without a value. */
export function readReport(text: string, options: ReportOptions): Outcome {
  const report = parseJson(text);
  if (!isObject(report)) return garbled;
  switch (report.kind) {
    case "nothing":
      return { kind: "nothing", explicit: report.explicit === true };
    case "output_limit":
      return { kind: "output_limit", bytes: options.limits.outputBytes };
    case "memory_limit":
      return { kind: "memory_limit", megabytes: options.limits.memoryMb };
    case "blocked":
      return { kind: "blocked", specifier: readSpecifier(report, options) };
    case "thrown":
      return readThrown(report, options.base);
    default:
      return garbled;
  }
}

const garbled: Outcome = { kind: "crashed", reason: "Its report cannot be read" };

/** Deno's error does not always tell the specifier as written; the place that it names does. */
function readSpecifier(report: Record<string, unknown>, options: ReportOptions): string {
  const [frame] = programFrames(textOf(report.stack), options.base);
  const line = frame ? options.modules.get(frame.file)?.split("\n")[frame.line - 1] : undefined;
  const literal = LITERAL.exec(line?.slice((frame?.column ?? 1) - 1) ?? "");
  return (literal?.[2] ?? textOf(report.specifier)).slice(0, LONGEST_NAME);
}

/** A specifier where Deno points: at the string of a static import, at a dynamic `import(`,
 * or at the `await` before it. */
const LITERAL = /^(?:await\s+)?(?:import\s*\(\s*)?(["'])([^"'\\]+)\1/;

function readThrown(report: Record<string, unknown>, base: string): Outcome {
  const message = textOf(report.message);
  const own = programFrames(`${message}\n${textOf(report.stack)}`, base);
  return {
    kind: "thrown",
    name: textOf(report.name).slice(0, LONGEST_NAME) || "Error",
    message: message.replaceAll(base, ""),
    frames: own.filter((frame, i) => i === 0 || !sameSpot(frame, own[i - 1])),
    ...(isObject(report.tool) ? { tool: readTool(report.tool) } : {}),
  };
}

function readTool(tool: Record<string, unknown>) {
  const details = parseJson(textOf(tool.details));
  return {
    code: textOf(tool.code).slice(0, LONGEST_NAME) || "tool_error",
    ...(typeof tool.tool === "string" ? { tool: tool.tool.slice(0, LONGEST_NAME) } : {}),
    retryable: tool.retryable === true,
    details: isObject(details) ? details as JsonObject : {},
  };
}

function sameSpot(
  a: { file: string; line: number; column: number },
  b?: { file: string; line: number; column: number },
): boolean {
  return a.file === b?.file && a.line === b.line && a.column === b.column;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function parseJson(text: string): JsonValue | undefined {
  if (isNestedOver(text, DEEPEST)) return undefined;
  // Not JSON.
  return attempt(() => JSON.parse(text));
}

const MOST = 50;
const PLACE = /^([^\s?#()]+?)(, <anonymous>)?:(\d+):(\d+)\)?$/;

/** The frames of `stack` whose module lies below `base` (`…/program/`), innermost first. */
function programFrames(stack: string, base: string): Frame[] {
  const frames: Frame[] = [];
  for (const line of stack.split("\n")) {
    const frame = parseFrame(line, base);
    if (frame) frames.push(frame);
    if (frames.length === MOST) break;
  }
  return frames;
}

/** `    at async name (http://…/program/main.ts:3:5)`, or without a name, or `… at http://…:3:5`. In
 * a program that is a function it is `at name (http://…/program/main.ts, <anonymous>:3:5)`, where a
 * function without a name is called `eval`. */
function parseFrame(line: string, base: string): Frame | undefined {
  const start = line.indexOf(base);
  if (start === -1) return undefined;
  const place = PLACE.exec(line.slice(start + base.length).trimEnd());
  if (!place?.[1]) return undefined;
  const frame = { file: place[1], line: Number(place[3]), column: Number(place[4]) };
  const name = /^\s*at (?:async )?(.+) \($/.exec(line.slice(0, start))?.[1];
  const isNameless = name === undefined || (place[2] !== undefined && name === "eval");
  return isNameless ? frame : { ...frame, name };
}
