/** Functions of every template: `range`, `cycler` and `joiner` of nunjucks. A template can call these
 * and the functions that they return, nothing else. */

import { TemplateError } from "./error.ts";

export interface TemplateGlobals {
  has(name: string): boolean;
  get(name: string): unknown;
  /** Calls a global, or a function that one returned. Throws `TemplateError` for any other value. */
  call(callee: unknown, name: string, args: readonly unknown[]): unknown;
}

type TemplateFunction = (...args: readonly unknown[]) => unknown;

const MOST_NUMBERS = 10_000;

/** Makes the globals of one rendering. */
export function createGlobals(): TemplateGlobals {
  const functions = new Set<unknown>();
  const callable = (own: TemplateFunction): TemplateFunction => {
    functions.add(own);
    return own;
  };
  const globals = new Map<string, TemplateFunction>([
    ["range", callable(range)],
    ["cycler", callable((...items) => cycler(items, callable))],
    ["joiner", callable((separator = ",") => callable(joiner(separator)))],
  ]);
  return {
    has: (name) => globals.has(name),
    get: (name) => globals.get(name),
    call(callee, name, args) {
      if (!functions.has(callee)) {
        const names = [...globals.keys()].join(", ");
        throw new TemplateError(`The template calls "${name}": functions here: ${names}`);
      }
      return (callee as TemplateFunction)(...args);
    },
  };
}

/** Numbers of `range(3)`, `range(1, 4)` or `range(9, 0, -3)`. */
function range(...args: readonly unknown[]): number[] {
  const [start, stop, step] = args.length < 2 ? [0, args[0], 1] : [args[0], args[1], args[2] ?? 1];
  const isWhole = [start, stop, step].every((bound) => Number.isSafeInteger(bound));
  if (!isWhole || step === 0 || args.length > 3) {
    throw new TemplateError("The template calls range() without whole numbers");
  }
  const [from, to, by] = [Number(start), Number(stop), Number(step)];
  const length = Math.max(0, Math.ceil((to - from) / by));
  if (length > MOST_NUMBERS) {
    throw new TemplateError(`The template asks for a range of more than ${MOST_NUMBERS} numbers`);
  }
  return Array.from({ length }, (_, at) => from + at * by);
}

/** Object with `current`, `next()` and `reset()`, which cycles through the items. */
function cycler(
  items: readonly unknown[],
  callable: (own: TemplateFunction) => TemplateFunction,
): Record<string, unknown> {
  let at = -1;
  const cycle: Record<string, unknown> = {
    current: null,
    reset: callable(() => {
      at = -1;
      cycle.current = null;
    }),
    next: callable(() => {
      at = items.length === 0 ? -1 : (at + 1) % items.length;
      cycle.current = items[at] ?? null;
      return cycle.current;
    }),
  };
  return cycle;
}

/** Function that returns an empty text at its first call and the separator at all others. */
function joiner(separator: unknown): TemplateFunction {
  let isFirst = true;
  return () => {
    const text = isFirst ? "" : separator;
    isFirst = false;
    return text;
  };
}
