/** Repeatable chance. */

/** Gives whole numbers from 0 to below `end`; the same seed gives the same ones. */
export function randomSource(seed: number): (end: number) => number {
  let state = seed >>> 0;
  return (end) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor(state / 2 ** 32 * end);
  };
}
