/** From the body of `POST /run` to a request that was checked, key by key. */

import { type CommandRequest, type RunRequest, type ScriptRequest, wrongKey } from "#runtime";
import { isObject } from "#sandbox";
import { HttpError } from "./problem.ts";

export interface ReadOptions {
  /** Whether the answer is a stream, in which an input can be asked for. */
  readonly stream: boolean;
  /** Where a program is that does not say where it was started. */
  readonly project: string;
}

export interface ReadRunRequest {
  readonly run: RunRequest;
  /** The input as text, `later` for one that is asked for, null for none. */
  readonly stdin: string | null;
  /** Whether the client answers questions, in a stream. */
  readonly ask: boolean;
  /** Whether it answers forms of servers, in a stream. */
  readonly elicit: boolean;
}

const KEYS = new Set([
  "command",
  "script",
  "file",
  "files",
  "outside",
  "cwd",
  "args",
  "timeout",
  "stdin",
  "format",
  "sanitize",
  "explain",
  "confirm",
  "ask",
  "elicit",
]);

/** Checks a body; throws `HttpError("bad_request")` that names the key and what it takes. */
export function readRunRequest(
  body: Record<string, unknown>,
  { stream, project }: ReadOptions,
): ReadRunRequest {
  const foreign = Object.keys(body).find((key) => !KEYS.has(key));
  if (foreign !== undefined) throw bad(foreign, `not a key of POST /run: ${[...KEYS].join(", ")}`);
  if ((body.script === undefined) === (body.command === undefined)) {
    throw bad("script", "exactly one of script and command must be given");
  }
  const stdin = optional(body, "stdin", isString) ?? null;
  if (stdin === "later" && !stream) {
    throw bad("stdin", '"later" needs a stream: accept application/x-ndjson');
  }
  const timeout = optional(body, "timeout", isTimeout);
  const ask = optional(body, "ask", isBoolean) !== false && stream;
  const elicit = optional(body, "elicit", isBoolean) === true && stream;
  const shared = {
    cwd: optional(body, "cwd", isString) ?? project,
    confirm: optional(body, "confirm", isString),
    ...(timeout === undefined ? {} : { timeoutMs: timeout * 1000 }),
  };
  const run = body.command === undefined ? readScript(body) : readCommand(body);
  return { stdin, ask, elicit, run: { ...shared, ...run } };
}

function readScript(body: Record<string, unknown>): Omit<ScriptRequest, "cwd" | "confirm"> {
  return {
    kind: "script",
    script: required(body, "script", isString),
    file: optional(body, "file", isString) ?? "script.ts",
    files: readFiles(body),
    outside: optional(body, "outside", isStrings) ?? [],
    args: optional(body, "args", isStrings) ?? [],
  };
}

function readFiles(body: Record<string, unknown>): Readonly<Record<string, string>> {
  const files = optional(body, "files", isTexts) ?? {};
  const wrong = wrongKey(files);
  if (wrong === undefined) return files;
  throw bad(
    "files",
    `${JSON.stringify(wrong)} is not a relative path of a .ts file below the script`,
  );
}

function readCommand(body: Record<string, unknown>): Omit<CommandRequest, "cwd" | "confirm"> {
  return {
    kind: "command",
    command: required(body, "command", isString),
    format: optional(body, "format", isString),
    sanitize: optional(body, "sanitize", isBoolean),
    explain: optional(body, "explain", isBoolean),
  };
}

type Check<T> = { readonly test: (value: unknown) => value is T; readonly takes: string };

const isString: Check<string> = {
  test: (value): value is string => typeof value === "string",
  takes: "a string",
};
const isBoolean: Check<boolean> = {
  test: (value): value is boolean => typeof value === "boolean",
  takes: "true or false",
};
const isTimeout: Check<number> = {
  test: (value): value is number => typeof value === "number" && value > 0 && value < 1e9,
  takes: "a number of seconds above 0",
};
const isStrings: Check<readonly string[]> = {
  test: (value): value is readonly string[] =>
    Array.isArray(value) && value.every((item) => typeof item === "string"),
  takes: "an array of strings",
};
const isTexts: Check<Readonly<Record<string, string>>> = {
  test: (value): value is Readonly<Record<string, string>> =>
    isObject(value) && Object.values(value).every((item) => typeof item === "string"),
  takes: "an object of texts by relative path",
};

function optional<T>(body: Record<string, unknown>, key: string, check: Check<T>): T | undefined {
  const value = body[key];
  if (value === undefined || value === null) return undefined;
  if (!check.test(value)) throw bad(key, `it takes ${check.takes}`);
  return value;
}

function required<T>(body: Record<string, unknown>, key: string, check: Check<T>): T {
  const value = optional(body, key, check);
  if (value === undefined) throw bad(key, `it takes ${check.takes}`);
  return value;
}

function bad(key: string, problem: string): HttpError {
  return new HttpError("bad_request", `Cannot run: key "${key}": ${problem}`, {
    details: { key },
  });
}
