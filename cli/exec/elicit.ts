/** Forms of servers for the person at the terminal, one line for each field. */

import { escapeUnseen, isObject, wrap } from "#base";
import type { Context } from "../context.ts";
import { escapeControls } from "../terminal.ts";
import { readLine } from "./read_line.ts";
import type { StreamedEvent } from "./types.ts";

type Value = string | number | boolean;
interface ElicitResult {
  readonly action: "accept" | "decline";
  readonly content?: Readonly<Record<string, Value>>;
}
export type Elicit = (event: StreamedEvent, signal: AbortSignal) => Promise<ElicitResult>;

interface Field {
  readonly name: string;
  readonly kind: "string" | "number" | "integer" | "boolean";
  readonly label: string;
  readonly choices?: readonly string[];
  readonly preset?: Value;
  readonly required: boolean;
}

const MOST_LABEL = 200;
const MOST_PROMPT = 600;
const TRIES = 3;
const DECLINE: ElicitResult = { action: "decline" };

/** Builds the function that shows forms; undefined without a terminal. It declines forms with fields
 * that are not primitive, and on every answer but an explicit yes. */
export function createElicit({ io, print }: Context): Elicit | undefined {
  const { person } = io;
  if (!person) return undefined;

  const ask = async (prompt: string, signal: AbortSignal) => {
    await print.raw("stderr", prompt);
    return await readLine({ person, print }, signal);
  };

  /** Reads the value of a field; undefined without a valid value, null for an omitted one. */
  async function valueOf(field: Field, signal: AbortSignal): Promise<Value | null | undefined> {
    for (let attempt = 0; attempt < TRIES; attempt++) {
      const line = await ask(promptOf(field), signal);
      if (line === null || signal.aborted) return undefined;
      const text = line.trim();
      if (text === "" && (field.preset !== undefined || !field.required)) {
        return field.preset ?? null;
      }
      const value = parse(text, field);
      if (value !== undefined) return value;
    }
    return undefined;
  }

  return async ({ message, schema }, signal) => {
    const fields = readFields(schema);
    if (!fields) return DECLINE;
    const line = await ask(`${escapeControls(String(message))}\n[a]nswer, [N]o: `, signal);
    if (!/^a(nswer)?$/i.test(line?.trim() ?? "")) return DECLINE;
    const content: [string, Value][] = [];
    for (const field of fields) {
      const value = await valueOf(field, signal);
      if (value === undefined) return DECLINE;
      if (value !== null) content.push([field.name, value]);
    }
    return { action: "accept", content: Object.fromEntries(content) };
  };
}

/** Reads the fields of a form; undefined if one is not primitive. */
function readFields(schema: unknown): readonly Field[] | undefined {
  if (!isObject(schema) || !isObject(schema.properties)) return undefined;
  const required: readonly unknown[] = Array.isArray(schema.required) ? schema.required : [];
  const fields: Field[] = [];
  for (const [name, property] of Object.entries(schema.properties)) {
    const field = isObject(property) && readField(name, property);
    if (!field) return undefined;
    fields.push({ ...field, required: required.includes(name) });
  }
  return fields;
}

function readField(
  name: string,
  { type, title, description, enum: listed, oneOf, default: preset }: Record<string, unknown>,
): Omit<Field, "required"> | undefined {
  if (type !== "string" && type !== "number" && type !== "integer" && type !== "boolean") {
    return undefined;
  }
  const written = [title ?? name, description].filter((text) => typeof text === "string");
  const label = escapeControls(written.join(": ")).replaceAll("\n", " ").slice(0, MOST_LABEL);
  const offered = Array.isArray(listed)
    ? listed
    : Array.isArray(oneOf)
    ? oneOf.map((choice) => isObject(choice) ? choice.const : undefined)
    : undefined;
  const choices = offered?.filter((choice) => typeof choice === "string");
  const presetKind: string = typeof preset;
  const isPreset = presetKind === (type === "integer" ? "number" : type);
  return {
    name,
    kind: type,
    label,
    choices,
    preset: isPreset ? preset as Value : undefined,
  };
}

function promptOf({ label, kind, choices, preset, required }: Field): string {
  const takes = choices ? choices.join(", ") : kind === "boolean" ? "y or n" : kind;
  const empty = preset !== undefined ? `, empty for ${preset}` : required ? "" : ", may be empty";
  const text = escapeUnseen(`${label} (${takes}${empty})`.replaceAll("\n", " "));
  const cut = text.length > MOST_PROMPT ? `${text.slice(0, MOST_PROMPT)}…)` : text;
  return `${wrap(cut).map((line) => `  ${line}`).join("\n")}: `;
}

function parse(text: string, { kind, choices }: Field): Value | undefined {
  if (choices) return choices.includes(text) ? text : undefined;
  if (kind === "string") return text === "" ? undefined : text;
  if (kind === "boolean") {
    return /^(y|yes|true)$/i.test(text) ? true : /^(n|no|false)$/i.test(text) ? false : undefined;
  }
  const number = text === "" ? NaN : Number(text);
  const fits = kind === "integer" ? Number.isSafeInteger(number) : Number.isFinite(number);
  return fits ? number : undefined;
}
