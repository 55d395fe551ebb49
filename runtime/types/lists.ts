/** Methods of lists whose callbacks wait for tools; a command's `rows.map((r) => …)` becomes a call
 * of these. It runs in the program's own process, is served as it stands, and so imports nothing. */

/* The item of a list of any type is of any type. */
type Item = unknown;
type Callback = (...args: Item[]) => unknown;

/** The same methods as those of a list, with callbacks that may be asynchronous. */
export interface List<T> {
  map<R>(call: (item: T, index: number, list: T[]) => R, self?: unknown): Promise<Awaited<R>[]>;
  flatMap<R>(
    call: (item: T, index: number, list: T[]) => R,
    self?: unknown,
  ): Promise<(Awaited<R> extends readonly (infer U)[] ? U : Awaited<R>)[]>;
  filter(call: Test<T>, self?: unknown): Promise<T[]>;
  forEach(call: Test<T>, self?: unknown): Promise<void>;
  find(call: Test<T>, self?: unknown): Promise<T | undefined>;
  findLast(call: Test<T>, self?: unknown): Promise<T | undefined>;
  findIndex(call: Test<T>, self?: unknown): Promise<number>;
  findLastIndex(call: Test<T>, self?: unknown): Promise<number>;
  some(call: Test<T>, self?: unknown): Promise<boolean>;
  every(call: Test<T>, self?: unknown): Promise<boolean>;
  reduce(call: (sum: T, item: T, index: number, list: T[]) => T | Promise<T>): Promise<T>;
  reduce<U>(
    call: (sum: U, item: T, index: number, list: T[]) => U | Promise<U>,
    start: U,
  ): Promise<U>;
  reduceRight(call: (sum: T, item: T, index: number, list: T[]) => T | Promise<T>): Promise<T>;
  reduceRight<U>(
    call: (sum: U, item: T, index: number, list: T[]) => U | Promise<U>,
    start: U,
  ): Promise<U>;
}

type Test<T> = (item: T, index: number, list: T[]) => unknown;

interface Each<V, K, L> {
  forEach(call: (value: V, key: K, all: L) => unknown, self?: unknown): Promise<void>;
}

interface Maker {
  from<T, R>(
    items: Iterable<T> | ArrayLike<T>,
    call: (item: T, index: number) => R,
    self?: unknown,
  ): Promise<Awaited<R>[]>;
}

/** A value whose callbacks cannot wait. */
// deno-lint-ignore no-empty-interface -- the checker's message names it
interface ValueWhoseCallbacksCannotWait {}

type Primitive = string | number | bigint | boolean | symbol | null | undefined;

/** Value that `inTurn` and `together` make of another. */
export type Waiting<L> = 0 extends 1 & L ? List<L>
  : L extends Primitive ? L
  : L extends readonly (infer T)[] ? List<T>
  : L extends ReadonlyMap<infer K, infer V> ? Each<V, K, L>
  : L extends ReadonlySet<infer V> ? Each<V, V, L>
  : L extends ArrayConstructor ? Maker
  : ValueWhoseCallbacksCannotWait;

/** Callbacks run one after another, in the order of the list. */
export function inTurn<L>(list: L): Waiting<L> {
  return waiting(list, false) as Waiting<L>;
}

/** Callbacks of `map`, `flatMap` and `filter` run at once; the others one after another. */
export function together<L>(list: L): Waiting<L> {
  return waiting(list, true) as Waiting<L>;
}

function waiting(list: unknown, atOnce: boolean): unknown {
  if (list === null || list === undefined) return list;
  if (Array.isArray(list)) return new Waiter(list, atOnce);
  if (list instanceof Map || list instanceof Set) return new Entries(list);
  if (list === Array) return new Filler(atOnce);
  return new Proxy({}, {
    get(_, name) {
      throw new TypeError(
        `Cannot wait for tools in a callback of ".${String(name)}": only those of lists can: ` +
          "write a loop: for (const item of …) { … }",
      );
    },
  });
}

class Waiter {
  readonly #list: Item[];
  readonly #atOnce: boolean;

  constructor(list: Item[], atOnce: boolean) {
    this.#list = list;
    this.#atOnce = atOnce;
  }

  async map(call: Callback, self?: unknown): Promise<Item[]> {
    const { length } = this.#list;
    const results = this.#results(call, self);
    const mapped = new Array(length);
    for (const [index, , result] of this.#atOnce ? handleRejections([...results]) : results) {
      mapped[index] = await result;
    }
    return mapped;
  }

  async flatMap(call: Callback, self?: unknown): Promise<Item[]> {
    return (await this.map(call, self)).flat();
  }

  async filter(call: Callback, self?: unknown): Promise<Item[]> {
    const results = this.#results(call, self);
    const passed: Item[] = [];
    for (const [, item, result] of this.#atOnce ? handleRejections([...results]) : results) {
      if (await result) passed.push(item);
    }
    return passed;
  }

  async forEach(call: Callback, self?: unknown): Promise<void> {
    for (const [, , result] of this.#results(call, self)) await result;
  }

  async some(call: Callback, self?: unknown): Promise<boolean> {
    for (const [, , result] of this.#results(call, self)) if (await result) return true;
    return false;
  }

  async every(call: Callback, self?: unknown): Promise<boolean> {
    for (const [, , result] of this.#results(call, self)) if (!await result) return false;
    return true;
  }

  async find(call: Callback, self?: unknown): Promise<Item> {
    return (await this.#first(call, self, upward(this.#list.length)))?.[1];
  }

  async findIndex(call: Callback, self?: unknown): Promise<number> {
    return (await this.#first(call, self, upward(this.#list.length)))?.[0] ?? -1;
  }

  async findLast(call: Callback, self?: unknown): Promise<Item> {
    return (await this.#first(call, self, downward(this.#list.length)))?.[1];
  }

  async findLastIndex(call: Callback, self?: unknown): Promise<number> {
    return (await this.#first(call, self, downward(this.#list.length)))?.[0] ?? -1;
  }

  reduce(call: Callback, ...start: Item[]): Promise<Item> {
    return this.#reduce(call, start, upward(this.#list.length));
  }

  reduceRight(call: Callback, ...start: Item[]): Promise<Item> {
    return this.#reduce(call, start, downward(this.#list.length));
  }

  /** Calls for each item when it is asked for the next; leaves holes out, as lists do. */
  *#results(call: Callback, self: unknown): Generator<[number, Item, unknown]> {
    const list = this.#list;
    for (const index of upward(list.length)) {
      if (index in list) yield [index, list[index], call.call(self, list[index], index, list)];
    }
  }

  async #first(
    call: Callback,
    self: unknown,
    indexes: Iterable<number>,
  ): Promise<[number, Item] | undefined> {
    const list = this.#list;
    for (const index of indexes) {
      const item = list[index];
      if (await call.call(self, item, index, list)) return [index, item];
    }
    return undefined;
  }

  async #reduce(call: Callback, start: Item[], indexes: Iterable<number>): Promise<Item> {
    const list = this.#list;
    let begun = start.length > 0;
    let [sum] = start;
    for (const index of indexes) {
      if (!(index in list)) continue;
      sum = begun ? await call(sum, list[index], index, list) : list[index];
      begun = true;
    }
    if (!begun) throw new TypeError("Reduce of empty array with no initial value");
    return sum;
  }
}

class Entries {
  readonly #all: Map<unknown, unknown> | Set<unknown>;

  constructor(all: Map<unknown, unknown> | Set<unknown>) {
    this.#all = all;
  }

  async forEach(call: Callback, self?: unknown): Promise<void> {
    for (const [key, value] of this.#all.entries()) await call.call(self, value, key, this.#all);
  }
}

class Filler {
  readonly #atOnce: boolean;

  constructor(atOnce: boolean) {
    this.#atOnce = atOnce;
  }

  from(items: Iterable<Item> | ArrayLike<Item>, call: Callback, self?: unknown): Promise<Item[]> {
    const each: Callback = (item, index) => call.call(self, item, index);
    return new Waiter(Array.from(items), this.#atOnce).map(each);
  }
}

/** The same results: the first in the order of the list that fails is the one that is thrown, and
 * none of the others fails unheard. */
function handleRejections<R extends readonly [number, Item, unknown]>(
  results: readonly R[],
): readonly R[] {
  for (const [, , result] of results) Promise.resolve(result).catch(() => {});
  return results;
}

function* upward(length: number): Generator<number> {
  for (let index = 0; index < length; index++) yield index;
}

function* downward(length: number): Generator<number> {
  for (let index = length - 1; index >= 0; index--) yield index;
}
