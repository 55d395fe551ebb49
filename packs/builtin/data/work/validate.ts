/** Validates a value by a JSON Schema. */

import { type Schema, Validator } from "@cfworker/json-schema";
import { type JsonObject, type JsonValue, messageOf } from "#base";
import { JobRefused } from "../../../jobs/protocol.ts";

const MAX_ERRORS = 100;

export interface CheckInput {
  readonly schema: JsonObject;
}

export interface Verdict {
  readonly valid: boolean;
  /** At most 100, by JSON Pointer; the innermost only. */
  readonly errors: readonly { readonly path: string; readonly message: string }[];
}

/** Validates by the draft that the schema names, else 2020-12. Throws `JobRefused`. */
export function check(value: JsonValue, { schema }: CheckInput): Verdict {
  const dialect = String(schema.$schema ?? "");
  const draft = dialect.includes("draft-04") ? "4" : dialect.includes("draft-07") ? "7" : "2020-12";
  try {
    const { valid, errors } = new Validator(schema as Schema, draft, false).validate(value);
    const inner = errors.filter(({ keyword }) =>
      !["properties", "items", "allOf", "$ref", "additionalProperties", "prefixItems"]
        .includes(keyword)
    );
    const listed = (inner.length > 0 ? inner : errors).slice(0, MAX_ERRORS);
    return {
      valid,
      errors: listed.map(({ instanceLocation, error }) => ({
        path: instanceLocation.replace(/^#/, ""),
        message: error.replace(/\.$/, ""),
      })),
    };
  } catch (error) {
    if (error instanceof RangeError) throw error;
    const reason = messageOf(error);
    const [first = ""] = reason.split("\n");
    throw new JobRefused(`the schema cannot be used: ${first}`);
  }
}
