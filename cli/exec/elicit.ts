/** Forms of servers for the person at the terminal, one line for each field. */

import { escapeUnseen, isObject, setOff, setOffRest, shorten, visibleLine } from "#base";
import type { StreamedEvent } from "../client.ts";
import type { Context } from "../context.ts";
import { promptName } from "../terminal/names.ts";
import type { TerminalQuestion } from "../terminal/screen.ts";

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
/** Characters of all choices of a field, and of one. */
const MOST_CHOICES = 300;
const MOST_CHOICE = 80;
/** Characters of an address: of a longer one the beginning would leave the terminal. */
const MOST_ADDRESS = 2_000;
const TRIES = 3;
const DECLINE: ElicitResult = { action: "decline" };
/** Mark of what a server says. */
const MARK = "> ";

/** Builds the function that shows forms; undefined without a terminal. It declines forms with fields
 * that are not primitive, and on every answer but an explicit yes. */
export function createElicit({ io, print }: Context): Elicit | undefined {
  const { person } = io;
  if (!person) return undefined;

  const ask = (question: TerminalQuestion, signal: AbortSignal, isField = false) =>
    print.ask(question, { person, signal, isField });

  /** Shows an address. A sign-in there takes the question back, whatever is typed. */
  async function askToOpen(
    { message, url }: { readonly message: string; readonly url: string },
    signal: AbortSignal,
  ): Promise<ElicitResult> {
    if (url.length > MOST_ADDRESS) {
      await print.warn(
        `${askerOf(message)} was declined: it asks to open an address of ${url.length} ` +
          `characters, more than ${MOST_ADDRESS}: ask its maker for a shorter one`,
      );
      return DECLINE;
    }
    const text = (columns: number) => {
      const rows = setOff([visibleLine(url)], { mark: MARK, columns });
      const linked = io.stderr.isTerminal ? rows.map((row) => linkTo(url, row)) : rows;
      return [messageText(message, columns), ...linked].join("\n");
    };
    // At the beginning of a row, and short: no row begins within the name.
    const host = promptName(URL.parse(url)?.host ?? "");
    const prompt = `Open ${host}? ${askerOf(message)} asks: [d]one, [N]o: `;
    const line = await ask({ text, prompt }, signal);
    return /^d(one)?$/i.test(line?.trim() ?? "") ? { action: "accept" } : DECLINE;
  }

  /** Reads the value of a field; undefined without a valid value, null for an omitted one. */
  async function valueOf(
    { field, asker }: { readonly field: Field; readonly asker: string },
    signal: AbortSignal,
  ): Promise<Value | null | undefined> {
    const question = { text: fieldText(field), prompt: `${asker} asks, your answer: ` };
    for (let attempt = 0; attempt < TRIES; attempt++) {
      const line = await ask(question, signal, true);
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

  async function fill(
    { message: text, schema, url }: StreamedEvent,
    signal: AbortSignal,
  ): Promise<ElicitResult> {
    const message = String(text);
    if (typeof url === "string") return await askToOpen({ message, url }, signal);
    const fields = readFields(schema);
    if (!fields) return DECLINE;
    const asker = askerOf(message);
    const prompt = `${asker} asks: [a]nswer, [N]o: `;
    const line = await ask({ text: (columns) => messageText(message, columns), prompt }, signal);
    if (!/^a(nswer)?$/i.test(line?.trim() ?? "")) return DECLINE;
    const content: [string, Value][] = [];
    for (const field of fields) {
      const value = await valueOf({ field, asker }, signal);
      if (value === undefined) return DECLINE;
      if (value !== null) content.push([field.name, value]);
    }
    return { action: "accept", content: Object.fromEntries(content) };
  }

  return (event, signal) => io.screen.holding(() => fill(event, signal));
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
  const labelParts = [title ?? name, description].filter((text) => typeof text === "string");
  const label = plain(labelParts.join(": ").slice(0, MOST_LABEL)).slice(0, MOST_LABEL);
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

/** The server that a message of the gateway begins with. */
function askerOf(message: string): string {
  return escapeUnseen(/^The server ".{1,200}?"/.exec(message)?.[0] ?? "A server");
}

/** A message of the gateway, in rows of this terminal. */
function messageText(message: string, columns: number): string {
  const rows = message.split("\n").flatMap((line) =>
    line.startsWith(MARK)
      ? setOff([visibleLine(line.slice(MARK.length))], { mark: MARK, columns })
      : setOffRest(visibleLine(line), columns)
  );
  return rows.join("\n");
}

/** A row that leads to the whole address: what is copied from several rows has their marks in it. */
function linkTo(url: string, row: string): string {
  return `\x1b]8;;${URL.parse(url)?.href ?? ""}\x1b\\${row}\x1b]8;;\x1b\\`;
}

function fieldText({ label, kind, choices, preset, required }: Field): (columns: number) => string {
  const takes = choices ? choicesText(choices) : kind === "boolean" ? "y or n" : kind;
  const value = typeof preset === "string" ? shorten(preset, MOST_CHOICE) : preset;
  const empty = value !== undefined ? `, empty for ${value}` : required ? "" : ", may be empty";
  const lines = [`${label} (${takes}${empty})`];
  return (columns) => setOff(lines, { mark: MARK, columns }).join("\n");
}

/** The first choices, and how many more there are. */
function choicesText(choices: readonly string[]): string {
  const parts: string[] = [];
  let left = MOST_CHOICES;
  for (const choice of choices) {
    const text = choice.length > MOST_CHOICE ? shorten(choice, MOST_CHOICE) : plain(choice);
    left -= text.length + 2;
    if (left < 0) {
      return [...parts, `… (${choices.length - parts.length} more choices) …`].join(", ");
    }
    parts.push(text);
  }
  return parts.join(", ");
}

function plain(text: string): string {
  return visibleLine(text.replaceAll("\n", " "));
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
