/** Stand-ins of results, watched: the gateway hears when the program first looks into one. */

const { Proxy } = globalThis;
const { get, has, ownKeys, set, defineProperty, deleteProperty, getOwnPropertyDescriptor } =
  Reflect;

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

  const handler: ProxyHandler<object> = {
    get(target, key, receiver) {
      // Read by every `await`.
      if (key !== "then" || has(target, key)) used();
      return get(target, key, receiver);
    },
    has(target, key) {
      used();
      return has(target, key);
    },
    ownKeys(target) {
      used();
      return ownKeys(target);
    },
    getOwnPropertyDescriptor(target, key) {
      used();
      return getOwnPropertyDescriptor(target, key);
    },
    set(target, key, value, receiver) {
      used();
      return set(target, key, value, receiver);
    },
    defineProperty(target, key, field) {
      used();
      return defineProperty(target, key, field);
    },
    deleteProperty(target, key) {
      used();
      return deleteProperty(target, key);
    },
  };
  Object.setPrototypeOf(handler, null);
  return {
    watch: (value) => {
      return typeof value === "object" && value !== null ? new Proxy(value, handler) : value;
    },
    end: () => void (isOver = true),
  };
}
