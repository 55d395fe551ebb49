/** Describes an error of a program. Every part of it may be hostile. */

import { encode } from "./encode.ts";
import type { Report } from "./protocol.ts";

const LONGEST = 65_536;
const BRAND = Symbol.for("toolscript.ToolError");
/** V8 has no class or code for an allocation that failed: these are its texts. */
const ALLOCATION =
  /^(Array buffer allocation failed|Invalid string length|Data cannot be cloned, out of memory|WebAssembly\.Memory.*(could not allocate|unable to grow))/i;

/** The report for `error`, which the program threw or left unhandled. */
export function failure(error: unknown, ToolError: unknown): Report {
  const message = textOf(error, "message") ?? plainText(error);
  const name = className(error);
  if ((name === "RangeError" || name === "DataCloneError") && ALLOCATION.test(message)) {
    return { kind: "memory_limit" };
  }
  const specifier = refusedImport(error, message);
  const stack = textOf(error, "stack") ?? "";
  if (specifier !== undefined) return { kind: "blocked", specifier, stack: `${message}\n${stack}` };
  const thrown = { kind: "thrown" as const, name, message: wayOut(message), stack };
  if (!isToolError(error, ToolError)) return thrown;
  return { ...thrown, tool: toolFields(error) };
}

/** Replaces Deno's advice: a program's author cannot pass flags. */
function wayOut(message: string): string {
  const advice = /^(Requires \w+ access(?: to .*)?), run again with the --allow-[\w-]+ flag$/s;
  return message.replace(advice, "$1, which no program has: call a tool that does it");
}

function toolFields(error: unknown) {
  const details = read(error, "details");
  return {
    __proto__: null,
    code: textOf(error, "code") ?? "tool_error",
    tool: textOf(error, "tool"),
    retryable: read(error, "retryable") === true,
    details: typeof details === "object" ? encodeOr(details, "{}") : "{}",
  };
}

/** Specifier of a refused import. Deno marks these errors by their text only; the same text in an
 * error of another class, as for a denied call, is no import. */
function refusedImport(error: unknown, message: string): string | undefined {
  if (textOf(error, "name") !== "TypeError") return undefined;
  for (const [pattern, scheme] of REFUSALS) {
    const match = pattern.exec(message);
    if (match?.[1] !== undefined) return scheme + match[1];
  }
  return undefined;
}

const REFUSALS: readonly (readonly [pattern: RegExp, scheme: string])[] = [
  [/^Refused the import of "([^"]+)"/, ""],
  [/^Blocked by null entry for "*([^"]+)"*/, ""],
  [/^JSR package manifest for '([^']+)' failed to load/, "jsr:"],
  [/^npm specifiers were requested()/, "npm:"],
  [/^Requires (?:import|net|read) access to "([^"]+)"/, ""],
  [/^Unsupported scheme "[^"]*" for module "([^"]+)"/, ""],
];

function isToolError(error: unknown, ToolError: unknown): boolean {
  if (read(error, BRAND) === true) return true;
  try {
    return typeof ToolError === "function" && error instanceof ToolError;
  } catch {
    // A hostile prototype: not a `ToolError`.
    return false;
  }
}

function className(error: unknown): string {
  const name = textOf(error, "name") ?? "Error";
  if (name !== "Error") return name;
  return textOf(read(error, "constructor"), "name") ?? name;
}

function plainText(error: unknown): string {
  return typeof error === "string" ? error.slice(0, LONGEST) : encodeOr(error, "unknown");
}

function encodeOr(value: unknown, otherwise: string): string {
  try {
    return encode(value, LONGEST);
  } catch {
    // Too long for a report.
    return otherwise;
  }
}

function textOf(value: unknown, key: string): string | undefined {
  const field = read(value, key);
  return typeof field === "string" && field !== "" ? field.slice(0, LONGEST) : undefined;
}

function read(value: unknown, key: PropertyKey): unknown {
  try {
    return value === null || value === undefined
      ? undefined
      : (value as Record<PropertyKey, unknown>)[key];
  } catch {
    // A getter that throws has no value.
    return undefined;
  }
}
