/** A worker whose jobs may never end, or give much. */

import { attempt, sleep } from "#base";
import { bounded } from "#base/bounded";
import { type JobTable, serveJobs } from "../../../packs/jobs/protocol.ts";

function spin(): never {
  for (;;);
}

async function walk(): Promise<() => number> {
  while (Date.now() > 0) await sleep(1);
  return () => 0;
}

serveJobs({
  spin,
  walk,
  // As where its gateway is too busy to end it in time.
  giveUp: () => bounded(spin, 200),
  pid: () => Deno.pid,
  compile: (text: string) => attempt(() => new Function(text)(), "refused"),
  lists: (count: number) => ({ lists: Array(count).fill([]), none: undefined }),
  print: (text: string) => {
    Deno.stdout.writeSync(new TextEncoder().encode(text));
    return "printed";
  },
  loadAndSpin: () => Promise.resolve(() => spin()),
  loadAndAnswer: (input: number) => Promise.resolve(() => 2 * input),
});

/** What no table may hold: code that runs outside of the time limit. */
export function refusedTables(): readonly JobTable[] {
  // @ts-expect-error: the value would be computed behind an `await`.
  const late: JobTable = { late: () => Promise.resolve(1) };
  // @ts-expect-error: so would the value of the function.
  const later: JobTable = { later: () => Promise.resolve(() => Promise.resolve(1)) };
  return [late, later];
}
