/** Turns any value into JSON text. Every value has one form; no value makes it fail. */

/** The text would be longer than allowed. */
export class TooLong extends Error {}

interface Writing {
  readonly settled: ReadonlyMap<unknown, unknown>;
  readonly above: Set<object>;
  room: number;
}

const DEEPEST = 400;
const stringify = JSON.stringify;
const isArray = Array.isArray;
const keysOf = Object.keys;
const protoOf = Object.getPrototypeOf;
const TypedArray = protoOf(Uint8Array);

/** JSON text of `value`, with every promise in it replaced by its value. Throws `TooLong`. */
export function encode(
  value: unknown,
  limit: number,
  settled = new Map<unknown, unknown>(),
): string {
  return write(value, { settled, above: new Set(), room: limit }) ?? "null";
}

/** Waits for every promise nested in `value`; rejects as the first of them that does. */
export async function settle(value: unknown): Promise<Map<unknown, unknown>> {
  const settled = new Map<unknown, unknown>();
  let promises = findPromises(value, settled);
  while (promises.length > 0) {
    const results = await Promise.all(promises);
    for (let i = 0; i < promises.length; i++) settled.set(promises[i], results[i]);
    promises = results.flatMap((result) => findPromises(result, settled));
  }
  return settled;
}

function findPromises(root: unknown, settled: ReadonlyMap<unknown, unknown>): Promise<unknown>[] {
  const promises = new Set<Promise<unknown>>();
  const seen = new Set<object>();
  const queue: unknown[] = [root];
  for (let value = queue.pop(); queue.length > 0 || value !== undefined; value = queue.pop()) {
    if (typeof value !== "object" || value === null || seen.has(value)) continue;
    seen.add(value);
    if (guarded(() => value instanceof Promise, false)) {
      if (!settled.has(value)) promises.add(value as Promise<unknown>);
    } else for (const child of childrenOf(value)) queue.push(child); // a call takes fewer arguments
  }
  return [...promises];
}

function childrenOf(value: object): unknown[] {
  return guarded(() => {
    if (value instanceof TypedArray) return [];
    if (isArray(value)) return value.filter((child) => typeof child === "object" && child !== null);
    if (value instanceof Map) return [...value.keys(), ...value.values()];
    if (value instanceof Set) return [...value];
    const children: unknown[] = [];
    for (const key of keysOf(value)) {
      const field = Object.getOwnPropertyDescriptor(value, key);
      if (typeof field?.value === "object" && field.value !== null) children.push(field.value);
    }
    return children;
  }, []);
}

function write(value: unknown, writing: Writing): string | undefined {
  switch (typeof value) {
    case "string":
      return spend(stringify(value), writing);
    case "number":
      return spend(value - value === 0 ? `${value}` : "null", writing);
    case "boolean":
      return spend(value ? "true" : "false", writing);
    case "bigint":
      return spend(`"${value}"`, writing);
    case "symbol":
      return spend(stringify(guarded(() => String(value), "Symbol()")), writing);
    case "function":
      return spend(stringify(`[Function: ${nameOf(value)}]`), writing);
    case "undefined":
      return undefined;
    default:
      return value === null ? spend("null", writing) : writeObject(value as object, writing);
  }
}

function writeObject(value: object, writing: Writing): string | undefined {
  if (writing.settled.has(value)) return write(writing.settled.get(value), writing) ?? "null";
  if (writing.above.has(value)) return spend('"[Circular]"', writing);
  if (writing.above.size >= DEEPEST) return spend('"[Too deep]"', writing);
  writing.above.add(value);
  try {
    const plain = plainForm(value);
    if (plain !== value) return write(plain, writing);
    return isArray(value) ? writeArray(value, writing) : writeFields(value, writing);
  } catch (error) {
    if (error instanceof TooLong) throw error;
    return spend(stringify(`[Threw: ${messageOf(error)}]`), writing);
  } finally {
    writing.above.delete(value);
  }
}

function writeArray(value: readonly unknown[], writing: Writing): string {
  let text = "";
  for (let i = 0; i < value.length; i++) {
    text += (i === 0 ? "" : ",") + (write(value[i], writing) ?? spend("null", writing));
    spend(",", writing);
  }
  return `[${text}]`;
}

function writeFields(value: object, writing: Writing): string {
  let text = "";
  for (const key of keysOf(value)) {
    const field = fieldOf(value, key);
    const json = write(field, writing);
    if (json === undefined) continue;
    text += `${text === "" ? "" : ","}${spend(stringify(key), writing)}:${json}`;
    spend(",:", writing);
  }
  return spend(`{${text}}`, writing, 2);
}

/** Plain form of an object that JSON cannot show; the object itself otherwise. */
function plainForm(value: object): unknown {
  if (isArray(value)) return value;
  if (value instanceof Date) {
    return value.getTime() - value.getTime() === 0 ? value.toISOString() : null;
  }
  if (value instanceof Map) return mapForm(value);
  if (value instanceof Set) return [...value];
  if (value instanceof Error) return errorForm(value);
  if (value instanceof RegExp) return String(value);
  if (value instanceof ArrayBuffer) return [...new Uint8Array(value)];
  if (value instanceof SharedArrayBuffer) return [...new Uint8Array(value)];
  if (value instanceof DataView) {
    return [...new Uint8Array(value.buffer, value.byteOffset, value.byteLength)];
  }
  if (value instanceof TypedArray) return [...(value as unknown as Iterable<unknown>)];
  if (value instanceof String || value instanceof Number || value instanceof Boolean) {
    return value.valueOf();
  }
  if (value instanceof Promise) return "[Promise]";
  const toJson = (value as { toJSON?: unknown }).toJSON;
  return typeof toJson === "function" ? toJson.call(value, "") : value;
}

function mapForm(map: ReadonlyMap<unknown, unknown>): unknown {
  const entries = [...map];
  if (!entries.every(([key]) => typeof key === "string")) return entries;
  const object: Record<string, unknown> = Object.create(null);
  for (const [key, value] of entries) object[key as string] = value;
  return object;
}

function errorForm(error: Error): unknown {
  const form: Record<string, unknown> = Object.create(null);
  form.name = error.name;
  form.message = error.message;
  for (const key of keysOf(error)) form[key] = (error as unknown as Record<string, unknown>)[key];
  if (error.cause !== undefined) form.cause = error.cause;
  return form;
}

function nameOf(value: unknown): string {
  return guarded(() => {
    const name = (value as { name?: unknown }).name;
    return typeof name === "string" && name !== "" ? name : "anonymous";
  }, "anonymous");
}

function messageOf(error: unknown): string {
  return guarded(() => {
    const message = (error as { message?: unknown }).message;
    return typeof message === "string" ? message : String(error);
  }, "unknown");
}

/** UTF-8 is never shorter than UTF-16 code units, so counting units ends the work early enough;
 * the gateway counts the bytes. */
function spend(text: string, writing: Writing, cost = text.length): string {
  writing.room -= cost;
  if (writing.room < 0) throw new TooLong();
  return text;
}

function fieldOf(value: object, key: string): unknown {
  try {
    return (value as Record<string, unknown>)[key];
  } catch (error) {
    return `[Threw: ${messageOf(error)}]`;
  }
}

function guarded<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch {
    // Hostile or half-made objects throw at any access.
    return otherwise;
  }
}
