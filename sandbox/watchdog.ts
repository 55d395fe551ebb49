/** Checks a process's memory and processor time where the system cannot limit them. */

import { findProgram } from "#base";
import type { SandboxProcess } from "./process/process.ts";
import type { Run } from "./run.ts";
import type { Limits } from "./types.ts";
import type { Walls } from "./process/walls.ts";

const EVERY_MS = 250;
/** Resident size of an empty process. */
const BASE_MB = 64;

export interface WatchOptions {
  readonly process: SandboxProcess;
  readonly run: Run;
  readonly limits: Limits;
  readonly walls: Walls;
}

/** Checks the process until disposed; does nothing where `prlimit` sets the limits. */
export function watchResources(options: WatchOptions): Disposable {
  const { process, run, limits, walls } = options;
  if (walls.prlimit) return { [Symbol.dispose]: () => {} };
  const timer = setInterval(async () => {
    const used = await usage(process.pid);
    if (!used || !process.alive) return;
    if (used.megabytes > BASE_MB + limits.memoryMb) {
      run.end({ kind: "memory_limit", megabytes: limits.memoryMb });
    } else if (used.seconds > limits.cpuSeconds) {
      run.end({ kind: "cpu_limit", seconds: limits.cpuSeconds });
    }
  }, EVERY_MS);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

async function usage(pid: number): Promise<{ megabytes: number; seconds: number } | undefined> {
  const command = new Deno.Command(findProgram("ps") ?? "ps", {
    args: ["-o", "rss=,time=", "-p", `${pid}`],
    stdin: "null",
    stderr: "null",
  });
  const { stdout } = await command.output().catch(() => ({ stdout: new Uint8Array() }));
  const [rss, time] = new TextDecoder().decode(stdout).trim().split(/\s+/);
  if (!rss || !time) return undefined;
  const seconds = time.split(/[:-]/).reduce((sum, part) => sum * 60 + Number(part), 0);
  return { megabytes: Number(rss) / 1024, seconds };
}
