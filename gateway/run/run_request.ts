/** Validation of a request to run a program, key by key: the body of `POST /run`, or the arguments of
 * the MCP tool `run`. */

import { isObject } from "#base";
import { type CommandRequest, type RunRequest, type ScriptRequest, wrongKey } from "#runtime";
import { HttpError } from "../problem.ts";

/** Files of a script: each takes the thread its time, empty ones too. */
const MOST_FILES = 5_000;

export interface RunRequestOptions {
  /** True for a streamed response, in which the program can ask for input. */
  readonly stream: boolean;
  /** Working folder of a request without `cwd`. */
  readonly project: string;
}

export interface ParsedRunRequest {
  readonly run: RunRequest;
  /** Input as text, `later` for input on demand, null for none. */
  readonly stdin: string | null;
  /** True where the client answers questions, in a stream. */
  readonly ask: boolean;
  /** True where the client waits for answers that only the page can give. */
  readonly wait: boolean;
  /** True where the client answers forms of servers, in a stream. */
  readonly elicit: boolean;
  /** True where the client shows addresses as well as forms. */
  readonly showsUrls: boolean;
}

const COMMAND_KEYS = ["command", "format", "sanitize", "timeout"];
const KEYS = [
  "command",
  "script",
  "file",
  "files",
  "outside",
  "cwd",
  "args",
  "timeout",
  "look",
  "stdin",
  "format",
  "sanitize",
  "explain",
  "confirm",
  "plan",
  "ask",
  "wait",
  "elicit",
  "elicit_url",
];

/** Checks a body; throws `HttpError("bad_request")` that names the key and what it takes. */
export function readRunRequest(
  body: Record<string, unknown>,
  { stream, project }: RunRequestOptions,
): ParsedRunRequest {
  if (body.look === true && body.plan !== undefined && body.plan !== false) {
    throw bad("look", "it makes no plan: send one of look and plan");
  }
  checkKeys(body, KEYS);
  if ((body.script === undefined) === (body.command === undefined)) {
    throw bad("script", "send exactly one of script and command");
  }
  const stdin = optional(body, "stdin", isString) ?? null;
  if (stdin === "later" && !stream) {
    throw bad("stdin", '"later" needs a stream: accept application/x-ndjson');
  }
  const ask = optional(body, "ask", isBoolean) !== false && stream;
  const wait = optional(body, "wait", isBoolean) === true;
  const elicit = optional(body, "elicit", isBoolean) === true && stream;
  const showsUrls = optional(body, "elicit_url", isBoolean) === true && elicit;
  const shared = {
    cwd: optional(body, "cwd", isString) ?? project,
    confirm: optional(body, "confirm", isString),
    ...readPlan(body),
    look: optional(body, "look", isBoolean),
    ...readTimeout(body),
  };
  const run = body.command === undefined ? readScript(body) : readCommand(body);
  return { stdin, ask, wait, elicit, showsUrls, run: { ...shared, ...run } };
}

/** Checks the arguments of the MCP tool `run`, which are keys of the body too. */
export function readCommandArguments(args: unknown, cwd: string): CommandRequest {
  if (!isObject(args)) {
    throw new HttpError("bad_request", 'Cannot run: no arguments: send "command"');
  }
  checkKeys(args, COMMAND_KEYS);
  return { ...readCommand(args), ...readTimeout(args), cwd };
}

function checkKeys(body: Record<string, unknown>, keys: readonly string[]): void {
  const unknown = Object.keys(body).find((key) => !keys.includes(key));
  if (unknown !== undefined) throw bad(unknown, `it is unknown: use ${keys.join(", ")}`);
}

/** `true` makes a plan, the id of one runs it; `false` is as if it were not there. */
function readPlan(body: Record<string, unknown>): Pick<RunRequest, "plan"> {
  const plan = optional(body, "plan", isPlan);
  if (plan === undefined || plan === false) return {};
  if (body.confirm !== undefined && body.confirm !== null) {
    throw bad("plan", "it does not go with confirm");
  }
  return { plan };
}

function readTimeout(body: Record<string, unknown>): Pick<RunRequest, "timeoutMs"> {
  const seconds = optional(body, "timeout", isTimeout);
  return seconds === undefined ? {} : { timeoutMs: seconds * 1000 };
}

function readScript(
  body: Record<string, unknown>,
): Omit<ScriptRequest, "cwd" | "confirm" | "plan"> {
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
  const count = Object.keys(files).length;
  if (count > MOST_FILES) {
    throw bad("files", `a script has at most ${MOST_FILES}, not ${count}: put several into one`);
  }
  const wrong = wrongKey(files);
  if (wrong === undefined) return files;
  throw bad(
    "files",
    `${JSON.stringify(wrong)} is not a relative path of a .ts file below the script`,
  );
}

function readCommand(
  body: Record<string, unknown>,
): Omit<CommandRequest, "cwd" | "confirm" | "plan"> {
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
const isPlan: Check<string | boolean> = {
  test: (value): value is string | boolean =>
    typeof value === "string" || typeof value === "boolean",
  takes: "true, or the id of a plan",
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
  return new HttpError("bad_request", `Cannot run: "${key}": ${problem}`, {
    details: { key },
  });
}
