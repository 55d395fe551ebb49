/** Removes the secret of a process from its output: with it, another process could call tools in its
 * name. */

import { Buffer } from "node:buffer";
import { joinBytes } from "#base";

/** A program may print and return its own address (TSX-33), and that of its tools (TSX-10). Other
 * addresses below it come from errors and stacks. */
const PRINTABLE = { unless: "runtime/" };

export interface ConcealOptions {
  /** Text behind the secret that lets it stand. */
  readonly unless?: string;
}

/** Stands for the secret. */
const CONCEALED = "…";

/** Text without the secret; the slash behind it, in an address, stays. */
export function conceal(text: string, secret: string, { unless }: ConcealOptions = {}): string {
  if (unless === undefined) return text.replaceAll(secret, markFor(secret));
  return text.split(secret).reduce((before, after) =>
    `${before}${after.startsWith(unless) ? secret : markFor(secret)}${after}`
  );
}

/** Value, or report of an error, without the secret. */
export function concealIn(path: "value" | "report", text: string, secret: string): string {
  return path === "value" ? conceal(text, `${secret}/`, PRINTABLE) : conceal(text, secret);
}

/** Filter for a stream. */
export function filterOf(stream: "stdout" | "stderr", secret: string): SecretFilter {
  return stream === "stdout" ? new SecretFilter(`${secret}/`, PRINTABLE) : new SecretFilter(secret);
}

/** Conceals the secret in bytes that come in pieces, also where it spans two of them. */
export class SecretFilter {
  readonly #secret: Uint8Array;
  readonly #mark: Uint8Array;
  readonly #unless: Uint8Array;
  /** Possible start of the secret at the end of the last piece. */
  #pending: Uint8Array = new Uint8Array();

  constructor(secret: string, { unless = "" }: ConcealOptions = {}) {
    this.#secret = encoder.encode(secret);
    this.#mark = encoder.encode(markFor(secret));
    this.#unless = encoder.encode(unless);
  }

  /** Adds a piece. Returns the bytes that cannot be a part of the secret any more. */
  push(bytes: Uint8Array): Uint8Array {
    const all = this.#pending.length === 0 ? bytes : joinBytes([this.#pending, bytes]);
    const text = Buffer.from(all.buffer, all.byteOffset, all.length);
    const parts: Uint8Array[] = [];
    let from = 0;
    let end = -1;
    for (let at = text.indexOf(this.#secret); at !== -1; at = text.indexOf(this.#secret, from)) {
      const behind = at + this.#secret.length;
      const verdict = this.#judge(text.subarray(behind));
      if (verdict === "wait") {
        end = at;
        break;
      }
      parts.push(all.subarray(from, at), verdict === "keep" ? this.#secret : this.#mark);
      from = behind;
    }
    if (end === -1) end = all.length - this.#beginning(text.subarray(from));
    this.#pending = all.slice(end);
    parts.push(all.subarray(from, end));
    return joinBytes(parts);
  }

  /** Returns the bytes that were held back, after the last piece. */
  end(): Uint8Array {
    const pending = this.#pending;
    this.#pending = new Uint8Array();
    const isWhole = pending.length >= this.#secret.length;
    return isWhole ? joinBytes([this.#mark, pending.subarray(this.#secret.length)]) : pending;
  }

  #judge(behind: Buffer): "conceal" | "keep" | "wait" {
    const start = behind.subarray(0, this.#unless.length);
    if (this.#unless.length === 0 || !start.equals(this.#unless.subarray(0, start.length))) {
      return "conceal";
    }
    return start.length === this.#unless.length ? "keep" : "wait";
  }

  /** Number of last bytes that are the start of the secret. */
  #beginning(bytes: Buffer): number {
    for (let length = Math.min(bytes.length, this.#secret.length - 1); length > 0; length--) {
      if (bytes.subarray(-length).equals(this.#secret.subarray(0, length))) return length;
    }
    return 0;
  }
}

function markFor(secret: string): string {
  return secret.endsWith("/") ? `${CONCEALED}/` : CONCEALED;
}

const encoder = new TextEncoder();
