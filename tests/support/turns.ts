/** Counts how often other work runs beside some work, and how long it waits. */

import { threadCpuUsage } from "node:process";

/** Runs `work`; `turns` is the number of times that a timer fired meanwhile. */
export async function countTurns<T>(
  work: () => T | Promise<T>,
): Promise<{ result: T; turns: number }> {
  let turns = 0;
  const timer = setInterval(() => turns++, 0);
  try {
    const result = await work();
    return { result, turns };
  } finally {
    clearInterval(timer);
  }
}

/** Measures turns of this thread's event loop, by its processor time: others may compute beside it. The
 * returned function ends that, and gives the longest in milliseconds. */
export function longestTurn(): () => number {
  let [last, longest] = [usedMs(), 0];
  const look = () => {
    const now = usedMs();
    [longest, last] = [Math.max(longest, now - last), now];
  };
  const timer = setInterval(look, 1);
  return () => {
    clearInterval(timer);
    look();
    return longest;
  };
}

/** Processor time of this thread, in milliseconds. */
export function usedMs(): number {
  const { user, system } = threadCpuUsage();
  return (user + system) / 1_000;
}

/** Object whose keys alone take the engine a while. */
export function manyKeys(count = 300_000): Record<string, number> {
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 1]));
}
