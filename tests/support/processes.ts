/** Processes that a test has started through others. */

import assert from "node:assert/strict";

/** Processes that this one started, and those that they started. */
export async function descendants(pid: number): Promise<number[]> {
  const { stdout } = await new Deno.Command("ps", { args: ["-eo", "pid=,ppid="] }).output();
  const rows = new TextDecoder().decode(stdout).trim().split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number));
  const below = [pid];
  for (const parent of below) {
    below.push(...rows.flatMap(([child = 0, above]) => above === parent ? [child] : []));
  }
  return below.slice(1);
}

/** Resolves when none of these processes is there; throws after a minute. */
export async function ended(pids: readonly number[]): Promise<void> {
  const until = Date.now() + 60_000;
  for (const pid of pids) {
    while (isAlive(pid)) {
      assert.ok(Date.now() < until, `the process ${pid} is left`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z/s.test(Deno.readTextFileSync(`/proc/${pid}/stat`));
  } catch {
    return false; // gone
  }
}
