/** Outcomes of a run. */

import type { JsonObject, JsonValue } from "#base";

/** One frame of the program's stack: a module below `program/`, 1-based line and column as served. */
export interface Frame {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly name?: string;
}

export type Outcome =
  | { readonly kind: "value"; readonly value: JsonValue }
  /** The program returned `undefined` (`explicit`), or had nothing to return. */
  | { readonly kind: "nothing"; readonly explicit: boolean }
  | {
    readonly kind: "thrown";
    readonly name: string;
    readonly message: string;
    readonly frames: readonly Frame[];
    /** Set when a `ToolError` reached the top. */
    readonly tool?: {
      readonly code: string;
      readonly tool?: string;
      readonly retryable: boolean;
      readonly details: JsonObject;
    };
  }
  | { readonly kind: "exited"; readonly code: number }
  | { readonly kind: "timeout"; readonly afterMs: number }
  | { readonly kind: "cpu_limit"; readonly seconds: number }
  | { readonly kind: "memory_limit"; readonly megabytes: number }
  | { readonly kind: "output_limit"; readonly bytes: number }
  | { readonly kind: "call_limit"; readonly calls: number }
  | { readonly kind: "too_large"; readonly bytes: number }
  | { readonly kind: "blocked"; readonly specifier: string }
  | { readonly kind: "crashed"; readonly reason: string }
  | { readonly kind: "cancelled" };
