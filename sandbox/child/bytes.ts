/** Functions on bytes and texts by built-ins that were saved before the program ran: a patched
 * prototype would see all data. The constructors read no species and call no code of the
 * program. */

const { apply, getOwnPropertyDescriptor, getPrototypeOf } = Reflect;
const Bytes = Uint8Array;
const { prototype } = getPrototypeOf(Bytes) as typeof Uint8Array;
const { indexOf, set } = prototype;
const text = String.prototype;
const { slice, startsWith } = text;
const find = text.indexOf;

function getter(name: string): (this: Uint8Array) => unknown {
  return getOwnPropertyDescriptor(prototype, name)?.get ?? (() => undefined);
}
const getLength = getter("length");
const getBuffer = getter("buffer");
const getOffset = getter("byteOffset");

export function sizeOf(bytes: Uint8Array): number {
  return apply(getLength, bytes, []);
}

/** The part of `bytes` from `start` up to `end`, in the same memory. */
export function viewOf(bytes: Uint8Array, start: number, end: number): Uint8Array {
  return new Bytes(apply(getBuffer, bytes, []), apply(getOffset, bytes, []) + start, end - start);
}

/** Copies `from` to where `at` is in `into`. */
export function copyTo(into: Uint8Array, from: Uint8Array, at: number): void {
  apply(set, into, [from, at]);
}

export function copyOf(bytes: Uint8Array): Uint8Array {
  const copy = new Bytes(sizeOf(bytes));
  copyTo(copy, bytes, 0);
  return copy;
}

/** Index of the first `byte`, -1 where it is missing. */
export function findByte(bytes: Uint8Array, byte: number): number {
  return apply(indexOf, bytes, [byte]);
}

export function findText(whole: string, part: string, from: number): number {
  return apply(find, whole, [part, from]);
}

export function sliceText(whole: string, start: number, end: number): string {
  return apply(slice, whole, [start, end]);
}

export function beginsWith(whole: string, start: string): boolean {
  return apply(startsWith, whole, [start]);
}
