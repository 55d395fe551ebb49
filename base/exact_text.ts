/** Text of bytes by which something is decided. */

/** The text that has these bytes, a byte order mark too; undefined where they are no UTF-8. What is
 * decoded with replacement names another file than the system sees.
 *
 * @example
 * ```ts
 * import { exactText } from "#base";
 *
 * console.assert(exactText(new Uint8Array([0xff])) === undefined);
 * console.assert(exactText(new Uint8Array([0xef, 0xbb, 0xbf, 0x61])) === "\ufeffa");
 * ```
 */
export function exactText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** True for a name, or a path, that may have other bytes than it shows: names in the listing of a folder
 * are decoded with replacement, and two of them may look the same. */
export function isUnclear(name: string): boolean {
  return name.includes("\ufffd");
}
