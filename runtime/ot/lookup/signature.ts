/** A tool's signature in help: `tracker.log_work(issue: string, date?: string): { id: string }`. */

import type { JsonValue } from "#base";
import { parameterNames, parameterSchema, type ToolEntry } from "#packs";
import {
  convertSchema,
  inlineType,
  type Learned,
  nameText,
  propertyTypes,
  resultType,
} from "../../types/mod.ts";
import { callName } from "./describe_tool.ts";
import { foreignLine } from "./foreign.ts";

/** Least characters that one argument's type may take, and most of its default. */
const ARGUMENT = 160;
const FALLBACK = 60;

export interface SignatureOptions {
  readonly learned?: Learned | undefined;
  /** Characters that the arguments may take. */
  readonly most: number;
  /** False leaves the result out. A result of unknown type, `any`, is shown only if `whole` is
   * true. */
  readonly result?: boolean;
  readonly whole?: boolean;
}

/** One line, with the names of the arguments that it shows. */
export interface Signature {
  readonly text: string;
  readonly names: readonly string[];
}

/** Writes a signature. Required arguments come first; of too many the first are kept. */
export function signatureOf(entry: ToolEntry, options: SignatureOptions): Signature {
  const { learned, most, result = true, whole = false } = options;
  const names = parameterNames(entry.spec.inputSchema);
  const share = Math.max(ARGUMENT, Math.floor(most / Math.max(names.length, 1)));
  const texts = argumentTexts(entry, names, share);
  const kept: string[] = [];
  let length = 0;
  for (const text of texts) {
    length += text.length + 2;
    if (length > most && kept.length > 0) break;
    kept.push(text);
  }
  const rest = names.length - kept.length;
  const args = [...kept, ...(rest > 0 ? [`… ${rest} more`] : [])].join(", ");
  const { text, origin } = resultType(entry, learned);
  const seen = origin === "learned" ? " /* seen */" : "";
  const returns = result && (whole || origin !== "none") ? `: ${text}${seen}` : "";
  const line = `${callName(entry)}(${args})${returns}`;
  return { text: foreignLine(line, line.length * 2), names: names.slice(0, kept.length) };
}

/** Writes each argument when it is asked for. */
function argumentTexts(
  { spec }: ToolEntry,
  names: readonly string[],
  most: number,
): Iterable<string> {
  const schema = spec.inputSchema;
  const converted = convertSchema(schema);
  const types = propertyTypes(converted);
  const required = new Set<JsonValue>(Array.isArray(schema.required) ? schema.required : []);
  return names.values().map((name) => {
    const type = types.get(name);
    const text = `: ${type ? inlineType(converted, most, type) : "any"}`;
    if (required.has(name)) return `${nameText(name)}${text}`;
    return `${nameText(name)}?${text}${fallbackText(parameterSchema(schema, name).default)}`;
  });
}

/** ` = 10`, for an argument with a default. */
function fallbackText(value: JsonValue | undefined): string {
  return value === undefined ? "" : ` = ${foreignLine(JSON.stringify(value), FALLBACK)}`;
}
