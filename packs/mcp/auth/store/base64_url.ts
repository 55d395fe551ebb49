/** Bytes as text in the alphabet of URLs, without padding. */

import { Buffer } from "node:buffer";

/** Encodes bytes. */
export function encodeBase64Url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64url");
}

/** Decodes a text; other characters are passed over. */
export function decodeBase64Url(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(text, "base64url"));
}
