/** A program that the loader runs before it waits for the real one. */

export function rehearsal(): Promise<unknown> {
  return Promise.resolve({ list: [1, "two", null, true], nested: { promise: Promise.resolve(3) } });
}
