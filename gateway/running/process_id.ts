/** Identity of a process, to distinguish it from a later one with the same pid. */

import { findProgram } from "#base";

/** Reads a value that is constant for the life of a process and differs for the next one with its
 * pid; undefined when the process has ended or is a zombie. */
export async function processIdentity(pid: number): Promise<string | undefined> {
  if (!Number.isSafeInteger(pid) || pid <= 1) return undefined;
  return Deno.build.os === "linux" ? await fromProc(pid) : await fromPs(pid);
}

async function fromProc(pid: number): Promise<string | undefined> {
  try {
    const stat = await Deno.readTextFile(`/proc/${pid}/stat`);
    // The name in parentheses may contain anything, parentheses too: count from its end.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [state, startTicks] = [fields[0], fields[19]];
    if (state === "Z" || state === "X" || startTicks === undefined) return undefined;
    const boot = await Deno.readTextFile("/proc/sys/kernel/random/boot_id");
    return `${boot.trim()}:${startTicks}`;
  } catch {
    // No such process.
    return undefined;
  }
}

async function fromPs(pid: number): Promise<string | undefined> {
  const args = ["-o", "stat=,lstart=", "-p", String(pid)];
  const { success, stdout } = await new Deno.Command(findProgram("ps") ?? "ps", {
    args,
    env: { LC_ALL: "C" },
    stderr: "null",
  }).output();
  const line = new TextDecoder().decode(stdout).trim();
  if (!success || line === "" || line.startsWith("Z")) return undefined;
  return line.slice(line.indexOf(" ")).trim();
}
