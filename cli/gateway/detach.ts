/** Start of a gateway that outlives this process. */

import { spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { sleep } from "#base";
import { openRunFolder, type RunFile } from "#gateway/running";
import { CliError } from "../error.ts";
import type { CliIo } from "../io.ts";

export interface DetachOptions {
  /** Arguments of the program. */
  readonly words: readonly string[];
  readonly cwd: string;
  readonly timeoutMs: number;
  /** Finds the gateway once it responds. */
  readonly find: () => Promise<RunFile | undefined>;
}

const POLL_MS = 25;
const LOG_TAIL = 4_000;

/** Starts this program again in a session of its own and waits until its gateway answers. */
export async function startDetached(io: CliIo, options: DetachOptions): Promise<RunFile> {
  const folder = await openRunFolder(io.home);
  const logFile = join(folder, "gateway.log");
  const from = (await Deno.stat(logFile).catch(() => undefined))?.size ?? 0;
  const exit = launch(io, options, logFile);
  const deadline = io.now() + options.timeoutMs;
  while (io.now() < deadline) {
    const gateway = await options.find();
    if (gateway) return gateway;
    const code = await Promise.race([exit, sleep(POLL_MS)]);
    if (typeof code !== "number") continue;
    // It may have found another one running.
    const other = code === 0 ? await options.find() : undefined;
    if (other) return other;
    throw new CliError(code === 2 ? 2 : 1, await lastError(logFile, from));
  }
  throw new CliError(
    1,
    `Cannot start the gateway: no response in ${options.timeoutMs} ms: see "${logFile}"`,
  );
}

/** Resolves with the exit code when the process ends. */
function launch(io: CliIo, options: DetachOptions, logFile: string): Promise<number> {
  const [command = "", ...args] = io.program;
  const log = openSync(logFile, "a", 0o600);
  const child = spawn(command, [...args, ...options.words], {
    cwd: options.cwd,
    detached: true,
    // The log file gets its log line by line, and its stderr for failed starts and crashes.
    env: { TOOLSCRIPT_LOG_FILE: logFile, ...io.env },
    stdio: ["ignore", "ignore", log],
  });
  closeSync(log);
  child.unref();
  return new Promise((resolve) => {
    child.once("exit", (code) => resolve(code ?? 1));
    child.once("error", () => resolve(1));
  });
}

async function lastError(logFile: string, from: number): Promise<string> {
  const bytes = await Deno.readFile(logFile);
  const text = new TextDecoder().decode(bytes.subarray(Math.max(from, bytes.length - LOG_TAIL)));
  const line = text.split("\n").find((line) => line.startsWith("Error: "));
  return line?.slice(7) ?? `Cannot start the gateway: it ended at once: see "${logFile}"`;
}
