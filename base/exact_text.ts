/** Text of bytes by which something is decided. */

/** Decodes bytes without loss, a byte order mark included; undefined if they are not UTF-8.
 * Decoding with replacement characters would name another file than the one that the system sees.
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

/** True for a name or a path whose bytes may differ from this text: names in the listing of a
 * folder are decoded with replacement characters, so two of them may look the same. */
export function isUnclear(name: string): boolean {
  return name.includes("\ufffd");
}
