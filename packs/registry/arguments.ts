/** Arguments of calls as their tools get them: names expanded, validated by the schema. */

import { isObject } from "#base";
import { PackError } from "../errors.ts";
import type { Args, ToolEntry } from "../types.ts";
import { resolvePrefixes } from "./prefix.ts";
import { callSignature } from "./signature.ts";
import {
  type ArgumentCheck,
  argumentCheck,
  type ArgumentProblem,
  CheckTooSlow,
} from "./validate.ts";

/** Reads the arguments of one call. Throws `PackError`. */
export type ArgumentReader = (args: unknown, entry: ToolEntry) => Args;

const MAX_NESTING = 64;
/** `details.reason` of a call whose check was abandoned. */
export const SLOW_CHECK = "slow_check";

/** Makes a reader, which caches the check of each tool. */
export function createArgumentReader(): ArgumentReader {
  const checks = new WeakMap<object, ArgumentCheck>();
  return (args, entry) => {
    const { spec } = entry;
    const check = checks.get(spec) ?? argumentCheck(spec.inputSchema);
    checks.set(spec, check);
    return checked(args, entry, check);
  };
}

function checked(sent: unknown, entry: ToolEntry, check: ArgumentCheck): Args {
  if (!isObject(sent)) {
    const state = "arguments are not an object: pass one object with the arguments by name";
    throw problem("bad_request", entry, state);
  }
  const { size, isJson } = measure(sent);
  if (!isJson) {
    const state = "a number among its arguments is too large for JSON: send it as a string";
    throw problem("bad_request", entry, state);
  }
  if (size === undefined) {
    const state = `arguments are nested more than ${MAX_NESTING} levels deep: send them flatter, ` +
      "or as a string";
    throw problem("bad_request", entry, state);
  }
  const args = resolvePrefixes(sent as Args, entry.spec.inputSchema);
  const problems = problemsOf(entry, () => check(args, size));
  if (problems.length > 0) throw invalid(entry, problems);
  return args;
}

function problemsOf(entry: ToolEntry, check: () => ArgumentProblem[]): string[] {
  try {
    return check().map(({ message }) => message);
  } catch (error) {
    if (!(error instanceof CheckTooSlow)) throw error;
    const name = `${entry.pack}.${entry.tool}`;
    throw new PackError(
      "invalid_arguments",
      `Cannot call "${name}": its arguments take too long to check: send less at once`,
      { tool: name, cause: error, details: { reason: SLOW_CHECK } },
    );
  }
}

/** Counts the values in `value`, and every 16 characters of text; without a size where it is nested too
 * deep. `1e400` is an infinite number once it is parsed. */
function measure(value: object): { readonly size?: number; readonly isJson: boolean } {
  let size = 0;
  let isJson = true;
  let level: object[] = [value];
  for (let depth = 0; depth < MAX_NESTING && level.length > 0; depth++) {
    const items = level.flatMap((holder): unknown[] => Object.values(holder));
    for (const item of items) {
      size += typeof item === "string" ? 1 + (item.length >> 4) : 1;
      if (typeof item === "number") isJson &&= Number.isFinite(item);
    }
    level = items.filter((item) => typeof item === "object" && item !== null) as object[];
  }
  return level.length === 0 ? { size, isJson } : { isJson };
}

function problem(code: PackError["code"], { pack, tool }: ToolEntry, state: string): PackError {
  const name = `${pack}.${tool}`;
  return new PackError(code, `Cannot call "${name}": ${state}`, { tool: name });
}

function invalid(entry: ToolEntry, problems: readonly string[]): PackError {
  const name = `${entry.pack}.${entry.tool}`;
  const expected = callSignature(entry);
  return new PackError(
    "invalid_arguments",
    `Cannot call "${name}": ${problems.join("; ")}: expected ${expected}`,
    { tool: name, details: { signature: expected, problems: [...problems] } },
  );
}
