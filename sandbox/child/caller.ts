/** Place in the program from where a call is made. */

const { apply, defineProperty, deleteProperty, getOwnPropertyDescriptor, setPrototypeOf } = Reflect;
const { Error } = globalThis;
const HOOK = "prepareStackTrace";

/** Frame of a stack, as V8 describes it. */
interface Site {
  getFileName(): unknown;
  getScriptNameOrSourceURL(): unknown;
  getLineNumber(): unknown;
  getColumnNumber(): unknown;
  isAsync(): boolean;
}

/** Makes the function that returns the innermost place, `3:5`, in the module at this address;
 * empty where the stack has none, or where the program keeps it from being read. A frame that
 * only awaits the call does not count. Call this before the program runs: it can patch the
 * methods of a frame. */
export function createCallerReader(address: string): () => string {
  const [{ getFileName, getScriptNameOrSourceURL, getLineNumber, getColumnNumber, isAsync }] =
    sites() as [Site];
  return () => {
    try {
      const stack = sites();
      for (let at = 0; at < stack.length; at++) {
        const site = stack[at];
        if (apply(isAsync, site, [])) return "";
        // An evaluated text has no name of its own.
        const name = apply(getFileName, site, []) ?? apply(getScriptNameOrSourceURL, site, []);
        if (name !== address) continue;
        return `${apply(getLineNumber, site, [])}:${apply(getColumnNumber, site, [])}`;
      }
    } catch {
      // No frames of V8, but what the program put in their place.
    }
    return "";
  };
}

/** Frames of the stack, innermost first, without a hook of the program. */
function sites(): readonly unknown[] {
  // Deno asks the global `Error` for the hook.
  if (getOwnPropertyDescriptor(globalThis, "Error")?.value !== Error) return [];
  const own = getOwnPropertyDescriptor(Error, HOOK);
  const value = (_: unknown, frames: readonly unknown[]) => frames;
  const hook = { __proto__: null, value, configurable: true, writable: true };
  if (!defineProperty(Error, HOOK, hook)) return [];
  const { stack } = new Error();
  if (own) {
    setPrototypeOf(own, null);
    defineProperty(Error, HOOK, own);
  } else deleteProperty(Error, HOOK);
  return stack as unknown as readonly unknown[];
}
