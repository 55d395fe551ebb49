/** Tells a process from a later one with the same number. */

/** Something that stays the same as long as this very process lives, and that the next process
 * with its number does not have; undefined when it is gone (or only a zombie is left of it). */
export async function processIdentity(pid: number): Promise<string | undefined> {
  if (!Number.isSafeInteger(pid) || pid <= 1) return undefined;
  return Deno.build.os === "linux" ? await fromProc(pid) : await fromPs(pid);
}

async function fromProc(pid: number): Promise<string | undefined> {
  try {
    const stat = await Deno.readTextFile(`/proc/${pid}/stat`);
    // The name in brackets may hold anything, brackets and spaces too: count from its end.
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
  const { success, stdout } = await new Deno.Command("ps", {
    args,
    env: { LC_ALL: "C" },
    stderr: "null",
  }).output();
  const line = new TextDecoder().decode(stdout).trim();
  if (!success || line === "" || line.startsWith("Z")) return undefined;
  return line.slice(line.indexOf(" ")).trim();
}
