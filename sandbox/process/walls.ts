/** System tools that confine a process in addition to Deno's permissions. */

import { attempt, findProgram, openFileLimit } from "#base";
import { processesAtOnce } from "../queue.ts";
import { behindLandlock, findLandlock } from "./landlock.ts";
import type { Limits, SandboxSettings } from "../types.ts";

type ProcessLimits = Limits & Pick<SandboxSettings, "concurrent">;

export interface Walls {
  /** Names for `status()`. */
  readonly names: readonly string[];
  readonly prlimit?: string;
  readonly setpriv?: string;
  /** Program that puts another one behind Landlock. */
  readonly landlock?: string;
  /** Gives a process a session of its own, which a terminal's Ctrl-C does not reach. Deno's own way
   * copies the page tables of the whole gateway: 10 ms, in which it does nothing else. */
  readonly setsid?: string;
  /** Closes descriptors that would be inherited; only where there are any. */
  readonly bash?: string;
  readonly inherited: readonly number[];
  /** Files that the gateway may open: every connection of a process takes one. */
  readonly openFiles: number;
}

/** RLIMIT_DATA of an empty process: 560 MB measured, and some for more threads. */
const BASE_MB = 640;
const FILE_BYTES = 32 * 1024 * 1024;
/** Open files of a process: at least what Deno needs with some connections, and at most. */
const OPEN_FILES = { least: 64, most: 256 };
const O_CLOEXEC = 0o2000000;

/** Detects the tools of this system. */
export function detectWalls(): Walls {
  const inherited = inheritedDescriptors();
  const prlimit = findProgram("prlimit");
  const setpriv = findProgram("setpriv");
  const setsid = findProgram("setsid");
  const names = ["deno"];
  if (prlimit) names.push("prlimit");
  if (setpriv) names.push("pdeathsig");
  const landlock = setpriv && findLandlock();
  if (landlock) names.push("landlock");
  const bash = inherited.length > 0 ? findProgram("bash") : undefined;
  return { names, prlimit, setpriv, landlock, setsid, bash, inherited, openFiles: openFileLimit() };
}

export interface Confinement {
  readonly limits: ProcessLimits;
  /** Folder of the process. */
  readonly folder: string;
}

/** Command line that runs `command` behind the walls. */
export function behindWalls(
  walls: Walls,
  command: readonly string[],
  { limits, folder }: Confinement,
): string[] {
  const line = walls.landlock ? behindLandlock(walls.landlock, command, folder) : [...command];
  if (walls.prlimit) line.unshift(walls.prlimit, ...resourceLimits(walls, limits), "--");
  if (walls.setpriv) line.unshift(walls.setpriv, "--no-new-privs", "--pdeathsig", "KILL", "--");
  if (walls.setsid) line.unshift(walls.setsid);
  if (walls.bash) {
    const closing = walls.inherited.map((fd) => `${fd}<&-`).join(" ");
    line.unshift(walls.bash, "-c", `exec "$@" ${closing}`, "bash");
  }
  return line;
}

/** Number of runs that the queue admits at once: where each process gets the least number of files,
 * more would take the gateway its own, and it cannot accept a connection without one. */
export function programsAtOnce({ prlimit, openFiles }: Walls, concurrent: number): number {
  if (prlimit === undefined) return concurrent;
  return Math.max(
    1,
    Math.min(concurrent, Math.floor(openFiles / 2 / OPEN_FILES.least / processesAtOnce(1))),
  );
}

function resourceLimits({ openFiles }: Walls, limits: ProcessLimits): string[] {
  const data = (BASE_MB + limits.memoryMb) * 1024 * 1024;
  const cpu = Math.max(1, Math.ceil(limits.cpuSeconds));
  // All programs together leave half of them to the gateway, which cannot go on without.
  const share = Math.floor(openFiles / 2 / processesAtOnce(limits.concurrent));
  const files = Math.min(OPEN_FILES.most, Math.max(OPEN_FILES.least, share));
  return [
    `--data=${Math.ceil(data)}`,
    `--cpu=${cpu}:${cpu + 1}`,
    `--fsize=${FILE_BYTES}`,
    `--nofile=${files}`,
    "--core=0",
  ];
}

/** Descriptors above stderr that this process has inherited, and a child would inherit. */
function inheritedDescriptors(): number[] {
  // No /proc: nothing can be seen, and Deno's own are closed in children anyway.
  return attempt(() =>
    [...Deno.readDirSync("/proc/self/fd")]
      .map((entry) => Number(entry.name))
      .filter((fd) => fd > 2 && isInherited(fd)), []);
}

function isInherited(fd: number): boolean {
  // Closed by then: it was the descriptor that listed the folder.
  const info = attempt(() => Deno.readTextFileSync(`/proc/self/fdinfo/${fd}`), "");
  const flags = /^flags:\s+(\d+)/m.exec(info);
  return flags !== null && (parseInt(flags[1] ?? "0", 8) & O_CLOEXEC) === 0;
}
