/** Warnings of `deno lint`, which never block code. */

import { abortable, attempt, endWith, isObject } from "#base";
import type { Place } from "../syntax/place.ts";

export interface LintOptions {
  /** Path of the Deno executable. */
  readonly deno: string;
  /** Milliseconds after which the linter is stopped. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/** One warning of the linter. */
export interface LintWarning extends Place {
  readonly rule: string;
  readonly message: string;
}

const MAX_WARNINGS = 50;

/** Warnings of `deno lint`; empty if it fails for any reason. */
export async function lintCode(code: string, options: LintOptions): Promise<LintWarning[]> {
  // VAL-15, VAL-16: a missing or slow linter does not stop a command.
  return await attempt(async () => readWarnings(await runLint(code, options)), []);
}

async function runLint(code: string, options: LintOptions): Promise<string> {
  const { deno, timeoutMs = 5_000, signal } = options;
  const limit = AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])]);
  limit.throwIfAborted();
  const child = new Deno.Command(deno, {
    args: ["lint", "--json", "--no-config", "--ext", "ts", "-"],
    clearEnv: true,
    env: { NO_COLOR: "1" },
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  await using _end = endWith(child, limit);
  const output = new Response(child.stdout).text();
  output.catch(() => {}); // The error is thrown below, where the promise is awaited.
  await abortable(write(child.stdin, code), limit);
  return await abortable(output, limit);
}

async function write(stdin: WritableStream<Uint8Array>, text: string): Promise<void> {
  await new Blob([text]).stream().pipeTo(stdin);
}

function readWarnings(output: string): LintWarning[] {
  const report: unknown = JSON.parse(output);
  if (!isObject(report) || !Array.isArray(report.diagnostics)) return [];
  return report.diagnostics.slice(0, MAX_WARNINGS).flatMap((item: unknown) => {
    if (!isObject(item) || typeof item.message !== "string") return [];
    const range = isObject(item.range) && isObject(item.range.start) ? item.range.start : {};
    const message = item.message.replace(/\.$/, "").replaceAll(/\s*\n\s*/g, " ");
    const line = typeof range.line === "number" ? range.line : 1;
    const column = typeof range.col === "number" ? range.col + 1 : 1;
    return [{ rule: String(item.code), message, line, column }];
  });
}
