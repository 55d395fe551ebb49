/** Functions that every template has: `range`, `cycler` and `joiner`, as nunjucks names them. A
 * template calls these and what they give, nothing else. */

import { TemplateError } from "./error.ts";

export interface TemplateGlobals {
  has(name: string): boolean;
  get(name: string): unknown;
  /** Calls a global, or a function that one gave. Throws `TemplateError` for any other value. */
  call(callee: unknown, name: string, args: readonly unknown[]): unknown;
}

type TemplateFunction = (...args: readonly unknown[]) => unknown;

const MOST_NUMBERS = 10_000;

/** Makes the globals of one rendering. */
export function createGlobals(): TemplateGlobals {
  const functions = new Set<unknown>();
  const callable = (made: TemplateFunction): TemplateFunction => {
    functions.add(made);
    return made;
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
        const known = [...globals.keys()].join(", ");
        throw new TemplateError(`The template calls "${name}": functions here: ${known}`);
      }
      return (callee as TemplateFunction)(...args);
    },
  };
}

/** `range(3)`, `range(1, 4)`, `range(9, 0, -3)`. */
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

/** `current`, `next()` and `reset()` over the items, again and again. */
function cycler(
  items: readonly unknown[],
  callable: (made: TemplateFunction) => TemplateFunction,
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

/** Nothing at the first call, the separator at all others. */
function joiner(separator: unknown): TemplateFunction {
  let isFirst = true;
  return () => {
    const text = isFirst ? "" : separator;
    isFirst = false;
    return text;
  };
}
