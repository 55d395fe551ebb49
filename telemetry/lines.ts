/** A record as a line: JSON for files and programs, text for a person. The only file that imports LogTape. */

import {
  getAnsiColorFormatter,
  getJsonLinesFormatter,
  getTextFormatter,
  type LogRecord,
  type TextFormatter,
} from "@logtape/logtape";
import type { LogLevel } from "#base";
import { clip, escapeUnsafe } from "./clip.ts";
import type { Scalar } from "./redact.ts";

/** One event, its secrets replaced. */
export interface Entry {
  readonly time: number;
  readonly level: LogLevel;
  readonly message: string;
  readonly facts: Readonly<Record<string, Scalar>>;
}

export type LineFormat = "json" | "text" | "color";
export type Line = (entry: Entry) => string;

const LONGEST_LINE = 16_384;
const MOST_FACTS = 30;
const SHORT = 200;
const LOGGER = ["toolscript"];
/** Keys of every line; a fact of the same name gets a `_` at its end. */
const OWN_KEYS: ReadonlySet<string> = new Set(["@timestamp", "level", "message", "logger"]);

/** Builds the function that formats an entry as one line of bounded size, with its newline. */
export function createLine(format: LineFormat): Line {
  const write = format === "json" ? jsonLine() : textLine(format === "color");
  return (entry) => {
    const line = write(entry);
    return line.length <= LONGEST_LINE ? line : write(shortened(entry));
  };
}

function jsonLine(): Line {
  const formatter = getJsonLinesFormatter({ properties: "flatten" });
  return (entry) => `${escapeUnsafe(formatter(asRecord(entry, entry.facts)).trimEnd())}\n`;
}

function textLine(color: boolean): Line {
  const options = {
    timestamp: "time" as const,
    category: () => "",
    format: (
      { timestamp, level, message }: { timestamp: string | null; level: string; message: string },
    ) => `${timestamp ?? ""} ${level} ${message}`,
  };
  const formatter: TextFormatter = color
    ? getAnsiColorFormatter(options)
    : getTextFormatter(options);
  return (entry) => {
    // The message of a span is its name.
    const facts = Object.entries(entry.facts).filter(([name]) => name !== "span")
      .map(([name, value]) => ` ${name}=${valueText(value)}`);
    const message = `${escapeUnsafe(entry.message)}${facts.join("")}`;
    return `${formatter(asRecord({ ...entry, message }, {})).trimEnd()}\n`;
  };
}

function valueText(value: Scalar): string {
  if (typeof value === "string" && /^[\w.:/@+-]+$/.test(value)) return value;
  return escapeUnsafe(JSON.stringify(value));
}

function asRecord({ time, level, message }: Entry, facts: Entry["facts"]): LogRecord {
  const properties = Object.entries(facts).map(([name, value]) =>
    [OWN_KEYS.has(name) ? `${name}_` : name, value] as const
  );
  return {
    category: LOGGER,
    level,
    message: [message],
    rawMessage: message,
    timestamp: time,
    properties: Object.fromEntries(properties),
  };
}

function shortened({ facts, message, ...entry }: Entry): Entry {
  const few = Object.entries(facts).slice(0, MOST_FACTS)
    .map(([name, value]) =>
      [clip(name, SHORT), typeof value === "string" ? clip(value, SHORT) : value] as const
    );
  return { ...entry, message: clip(message, SHORT), facts: Object.fromEntries(few) };
}
