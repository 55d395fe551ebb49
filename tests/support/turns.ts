/** Counts how often other work runs beside some work. */

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

/** Object whose keys alone take the engine a while. */
export function manyKeys(): Record<string, number> {
  return Object.fromEntries(Array.from({ length: 300_000 }, (_, at) => [`k${at}`, 1]));
}
