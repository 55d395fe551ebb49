/** Watches stand-ins for results: reports when the program first looks into one. */

const { Proxy } = globalThis;
const { get, has, ownKeys, set, defineProperty, deleteProperty, getOwnPropertyDescriptor } =
  Reflect;
const { isExtensible, preventExtensions } = Reflect;
const { isArray } = Array;
const { setPrototypeOf } = Object;
const INSPECT = Symbol.for("Deno.customInspect");

export interface StandIns {
  /** Wraps an object or a list; returns any other value as it is. */
  watch(value: unknown): unknown;
  /** Stops watching: the program has ended, and its value is read. */
  end(): void;
}

/** Makes the watch of one program; `onUsed` is called once. */
export function createStandIns(onUsed: () => void): StandIns {
  let isOver = false;

  function used(): void {
    if (isOver) return;
    isOver = true;
    onUsed();
  }

  /** Serves a value from outside of the proxy's target. */
  function handlerOf(value: object): ProxyHandler<object> {
    return {
      get(_, key, receiver) {
        // Read by every `await`.
        if (key !== "then" || has(value, key)) used();
        return get(value, key, receiver);
      },
      has(_, key) {
        used();
        return has(value, key);
      },
      ownKeys() {
        used();
        return ownKeys(value);
      },
      getOwnPropertyDescriptor(_, key) {
        used();
        return getOwnPropertyDescriptor(value, key);
      },
      set(_, key, field, receiver) {
        used();
        return set(value, key, field, receiver);
      },
      defineProperty(target, key, field) {
        used();
        // `Object.freeze` defines each field: in both objects.
        if (!isExtensible(target)) defineProperty(target, key, field);
        return defineProperty(value, key, field);
      },
      deleteProperty(target, key) {
        used();
        return deleteProperty(target, key) && deleteProperty(value, key);
      },
      preventExtensions(target) {
        used();
        copyFields(value, target);
        return preventExtensions(target) && preventExtensions(value);
      },
    };
  }

  /** Empty object of the same kind that reports its inspection, for which proxies have no trap. */
  function targetOf(value: object): object {
    const target = isArray(value) ? [] : {};
    const inspected = (inspect: (value: object) => string) => {
      used();
      return inspect(value);
    };
    defineProperty(target, INSPECT, { value: inspected, configurable: true });
    return target;
  }

  return {
    watch(value) {
      if (typeof value !== "object" || value === null) return value;
      const handler = handlerOf(value);
      setPrototypeOf(handler, null);
      return new Proxy(targetOf(value), handler);
    },
    end: () => void (isOver = true),
  };
}

function copyFields(from: object, to: object): void {
  const keys = ownKeys(from);
  for (let at = 0; at < keys.length; at++) {
    const key = keys[at] ?? "";
    const field = getOwnPropertyDescriptor(from, key);
    if (field) defineProperty(to, key, field);
  }
}
