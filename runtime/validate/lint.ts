/** What the linter says of code; it only ever advises. */

import { isObject } from "#sandbox";
import type { Place } from "../syntax/place.ts";

export interface LintOptions {
  /** Path of the Deno executable. */
  readonly deno: string;
  /** Milliseconds after which there is no answer. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/** One warning of the linter; line and column are 1-based. */
export interface LintWarning extends Place {
  readonly rule: string;
  readonly message: string;
}

const MAX_WARNINGS = 50;

/** The warnings of `deno lint`; none when it cannot answer for any reason. */
export async function lintCode(code: string, options: LintOptions): Promise<LintWarning[]> {
  try {
    return readWarnings(await runLint(code, options));
  } catch {
    // VAL-15, VAL-16: no linter, or none in time, is no reason to hold up a command.
    return [];
  }
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
  const gone = Promise.withResolvers<never>();
  const kill = () => {
    gone.reject(limit.reason);
    try {
      child.kill("SIGKILL");
    } catch {
      // It ended by itself at this moment.
    }
  };
  limit.addEventListener("abort", kill, { once: true });
  try {
    const output = new Response(child.stdout).text();
    output.catch(() => {}); // whoever waits below is told
    await Promise.race([write(child.stdin, code), gone.promise]);
    return await Promise.race([output, gone.promise]);
  } finally {
    limit.removeEventListener("abort", kill);
    await child.status;
  }
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
