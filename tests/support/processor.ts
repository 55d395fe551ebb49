/** What a process takes of the processor when its work is done; Linux only. */

export interface AtRest {
  /** The first line that the script printed. */
  readonly report: string;
  /** Processor time of its process in one second, threads included, milliseconds. */
  readonly usedMs: number;
}

/** Runs a script in a process of its own, waits until it prints a line, and looks what it does then.
 * In the process of the tests others compute. */
export async function atRest(script: URL, ...args: readonly string[]): Promise<AtRest> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", script.href, ...args],
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const reader = child.stdout.getReader();
  try {
    const { value } = await reader.read();
    await pause(SETTLE_MS);
    const before = processorMs(child.pid);
    await pause(1_000);
    return {
      report: new TextDecoder().decode(value).trim(),
      usedMs: processorMs(child.pid) - before,
    };
  } finally {
    child.kill("SIGKILL");
    await Promise.all([child.status, reader.cancel(), child.stdin.close()]);
  }
}

const SETTLE_MS = 1_000;

function processorMs(pid: number): number {
  const fields = Deno.readTextFileSync(`/proc/${pid}/stat`).split(") ")[1]?.split(" ") ?? [];
  return 10 * (Number(fields[11]) + Number(fields[12]));
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
