/** Takes the secret of a process out of what it says: whoever has it calls tools in its name. */

import { Buffer } from "node:buffer";
import { joinBytes } from "./join_bytes.ts";

/** A program may tell the address that it was given (TSX-33), and that of its tools (TSX-10), with what
 * it prints and gives. All others below it come of errors and stacks. */
const TOLD = { unless: "runtime/" };

export interface ConcealOptions {
  /** Text behind the secret that lets it stand. */
  readonly unless?: string;
}

/** Stands for the secret. */
const CONCEALED = "…";

/** A text without the secret; one that ends in a slash, as a part of an address, leaves the slash. */
export function conceal(text: string, secret: string, { unless }: ConcealOptions = {}): string {
  if (unless === undefined) return text.replaceAll(secret, markFor(secret));
  return text.split(secret).reduce((before, after) =>
    `${before}${after.startsWith(unless) ? secret : markFor(secret)}${after}`
  );
}

/** A value, or a report of an error, without the secret. */
export function concealIn(path: "value" | "report", text: string, secret: string): string {
  return path === "value" ? conceal(text, `${secret}/`, TOLD) : conceal(text, secret);
}

/** What takes the secret out of a stream. */
export function filterOf(stream: "stdout" | "stderr", secret: string): SecretFilter {
  return stream === "stdout" ? new SecretFilter(`${secret}/`, TOLD) : new SecretFilter(secret);
}

/** The same for bytes that come in pieces, wherever a piece ends. */
export class SecretFilter {
  readonly #secret: Uint8Array;
  readonly #mark: Uint8Array;
  readonly #unless: Uint8Array;
  /** What may be the start of the secret. */
  #held: Uint8Array = new Uint8Array();

  constructor(secret: string, { unless = "" }: ConcealOptions = {}) {
    this.#secret = encoder.encode(secret);
    this.#mark = encoder.encode(markFor(secret));
    this.#unless = encoder.encode(unless);
  }

  /** What can be told by now. */
  push(bytes: Uint8Array): Uint8Array {
    const all = this.#held.length === 0 ? bytes : joinBytes([this.#held, bytes]);
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
    this.#held = all.slice(end);
    parts.push(all.subarray(from, end));
    return joinBytes(parts);
  }

  /** What was held back: nothing follows. */
  end(): Uint8Array {
    const held = this.#held;
    this.#held = new Uint8Array();
    const isWhole = held.length >= this.#secret.length;
    return isWhole ? joinBytes([this.#mark, held.subarray(this.#secret.length)]) : held;
  }

  #judge(behind: Buffer): "conceal" | "keep" | "wait" {
    const start = behind.subarray(0, this.#unless.length);
    if (this.#unless.length === 0 || !start.equals(this.#unless.subarray(0, start.length))) {
      return "conceal";
    }
    return start.length === this.#unless.length ? "keep" : "wait";
  }

  /** How many of the last bytes are the start of the secret. */
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
