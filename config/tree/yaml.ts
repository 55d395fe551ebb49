/** Reads YAML, of which JSON is a part, into nodes with their places. */

import {
  type AliasEvent,
  CORE_SCHEMA,
  type Event,
  EVENT_ID,
  getScalarValue,
  NOT_RESOLVED,
  parseEvents,
  SCALAR_STYLE,
  type ScalarEvent,
  type ScalarTagDefinition,
  YAMLException,
} from "js-yaml";
import type { ConfigFinding } from "../types.ts";
import { type Entry, isNull, type Node, type Place, type ScalarNode } from "./node.ts";

/** Characters of a file, and of the values of all files after aliases are followed. */
const MAX_CHARS = 4_000_000;
/** Values of all files after aliases are followed: a file of ten lines can stand for a billion. */
const MAX_VALUES = 100_000;
const MAX_DEPTH = 64;
/** Mistakes that are told of one file, and warnings. */
const MAX_FINDINGS = 100;
const LONGEST_TAG = 100;

export interface ParsedFile {
  /** Undefined when the file is empty or cannot be read at all. */
  readonly node?: Node;
  readonly findings: readonly ConfigFinding[];
}

/** Amounts that were read, aliases followed. */
export interface ReadTotal {
  values: number;
  chars: number;
}

/** Parses one file and adds to `total`, which is bounded. Mistakes are returned as findings, never
 * thrown. */
export function parseYaml(
  text: string,
  file: string,
  total: ReadTotal = { values: 0, chars: 0 },
): ParsedFile {
  if (text.length > MAX_CHARS) {
    const message = `Cannot read it: ${text.length} characters, at most ${MAX_CHARS} are taken`;
    return { findings: [{ severity: "error", message, file }] };
  }
  const findings: ConfigFinding[] = [];
  try {
    return { node: new Reader({ text, file, findings, total }).readFile(), findings };
  } catch (error) {
    if (error instanceof TooLong) return { findings };
    if (!(error instanceof YAMLException)) throw error;
    const { reason, mark } = error;
    const place = { file, line: (mark?.line ?? 0) + 1, column: (mark?.column ?? 0) + 1 };
    const [, fix = QUOTE] = FIXES.find(([pattern]) => pattern.test(reason)) ?? [];
    const message = `Cannot read this as YAML: ${reason}`;
    return { findings: [{ severity: "error", message, ...place, fix }] };
  }
}

const QUOTE = "Put the value in quotes if it is meant as text";
const FIXES: readonly (readonly [RegExp, string])[] = [
  [/tab characters/, "Indent with spaces"],
  [/deficient indentation|within a .*(scalar|collection)/, "Close the quote or the bracket"],
  [/bad indentation/, `Indent as deep as the lines around it, or: ${QUOTE}`],
];

const SCALARS = CORE_SCHEMA.tags.filter((tag): tag is ScalarTagDefinition =>
  tag.nodeKind === "scalar"
);
const IMPLICIT = SCALARS.filter(({ implicit }) => implicit);

/** The rest of the file is not read. */
class TooLong extends Error {
  override readonly name = "TooLong";
}

interface ReaderOptions {
  readonly text: string;
  readonly file: string;
  readonly findings: ConfigFinding[];
  readonly total: ReadTotal;
}

class Reader {
  readonly #findings: ConfigFinding[];
  readonly #text: string;
  readonly #file: string;
  readonly #events: Iterator<Event, undefined>;
  readonly #anchors = new Map<string, { node: Node; values: number; chars: number }>();
  readonly #total: ReadTotal;
  #line = 1;
  #lineStart = 0;
  #lineEnd: number;
  #offset = 0;

  constructor({ text, file, findings, total }: ReaderOptions) {
    this.#text = text;
    this.#file = file;
    this.#findings = findings;
    this.#total = total;
    this.#lineEnd = this.#endOfLine();
    this.#events = parseEvents(text, { maxDepth: MAX_DEPTH }).values();
  }

  /** The node of the only document. */
  readFile(): Node | undefined {
    if (this.#next() === undefined) return undefined;
    const node = this.#read(this.#next());
    this.#next(); // End of the document.
    if (this.#next() === undefined) return node;
    const place = this.#place(startOf(this.#next()));
    this.#report(place, "it holds several documents", 'Keep one document: remove the "---"');
    return node;
  }

  #next(): Event | undefined {
    return this.#events.next().value;
  }

  *#untilPop(): Generator<Event> {
    for (let event = this.#next(); event && event.type !== EVENT_ID.POP; event = this.#next()) {
      yield event;
    }
  }

  #read(event: Event | undefined): Node {
    const place = this.#place(startOf(event));
    if (++this.#total.values > MAX_VALUES) {
      this.#report(place, `over ${MAX_VALUES} values in all`);
      throw new TooLong();
    }
    if (event?.type === EVENT_ID.ALIAS) return this.#follow(event, place);
    const { values, chars } = this.#total;
    const node = this.#convert(event, place);
    if (event && "anchorStart" in event && event.anchorStart >= 0) {
      const name = this.#text.slice(event.anchorStart, event.anchorEnd);
      this.#anchors.set(name, {
        node,
        values: this.#total.values - values + 1,
        chars: this.#total.chars - chars,
      });
    }
    return node;
  }

  #convert(event: Event | undefined, place: Place): Node {
    if (event?.type === EVENT_ID.SCALAR) return this.#scalar(event, place);
    if (event?.type === EVENT_ID.MAPPING) return this.#map(place);
    const items = [...this.#untilPop().map((item) => this.#read(item))];
    return { kind: "list", items, place };
  }

  #map(place: Place): Node {
    const entries = new Map<string, Entry>();
    const merged: (readonly Node[])[] = [];
    const keys = new Set<string>();
    for (const event of this.#untilPop()) {
      const node = this.#read(event);
      const at = node.place;
      const value = this.#read(this.#next());
      if (event.type !== EVENT_ID.SCALAR || node.kind !== "scalar") {
        this.#report(at, "a key must be a word or quoted text");
        continue;
      }
      const key = node.source;
      if (keys.has(key)) this.#report(at, "map keys must be unique", "Remove one of the two");
      keys.add(key);
      if (key === "<<" && value.kind === "map") merged.push([value]);
      else if (key === "<<" && value.kind === "list") merged.push(value.items);
      else entries.set(key, { place: at, value: isNull(value) ? { ...value, place: at } : value });
    }
    for (const source of merged.flat()) inherit(entries, source);
    return { kind: "map", entries, place };
  }

  #scalar(event: ScalarEvent, place: Place): ScalarNode {
    const source = event.valueStart < 0 ? "" : getScalarValue(this.#text, event);
    this.#total.chars += source.length;
    const tag = event.tagStart < 0 ? "" : this.#text.slice(event.tagStart, event.tagEnd);
    const name = tag.replace(/^!!/, "tag:yaml.org,2002:");
    const plainTags = event.style === SCALAR_STYLE.PLAIN ? IMPLICIT : [];
    for (const type of tag === "" ? plainTags : SCALARS.filter((it) => it.tagName === name)) {
      const value: unknown = type.resolve(source, tag !== "", name);
      if (typeof value === "number" || typeof value === "boolean" || value === null) {
        return { kind: "scalar", value, source, place };
      }
      if (value !== NOT_RESOLVED) return this.#textNode(event, { source, place });
    }
    if (tag !== "" && tag !== "!") {
      const message = `Cannot read this as YAML: unknown tag ${tag.slice(0, LONGEST_TAG)}`;
      this.#add({ severity: "warning", message, ...place, fix: QUOTE });
    }
    return this.#textNode(event, { source, place });
  }

  #textNode(event: ScalarEvent, node: Pick<ScalarNode, "source" | "place">): ScalarNode {
    const written = event.valueStart < 0 ? "" : this.#text.slice(startOf(event), event.valueEnd);
    const other = written === node.source ? {} : { written };
    return { kind: "scalar", value: node.source, ...node, ...other };
  }

  #follow({ anchorStart, anchorEnd }: AliasEvent, place: Place): Node {
    const name = this.#text.slice(anchorStart, anchorEnd);
    const target = this.#anchors.get(name);
    if (!target) return this.#refuse(place, `"*${name}" stands inside what it names`);
    this.#total.values += target.values;
    if (this.#total.values > MAX_VALUES) {
      return this.#refuse(place, `over ${MAX_VALUES} values in all`);
    }
    this.#total.chars += target.chars;
    if (this.#total.chars > MAX_CHARS) {
      return this.#refuse(place, `over ${MAX_CHARS} characters in all`);
    }
    return target.node;
  }

  #refuse(place: Place, why: string): Node {
    this.#report(place, why);
    return { kind: "scalar", value: null, source: "", place };
  }

  #report(place: Place, why: string, fix = "Write it shorter"): void {
    this.#add({ severity: "error", message: `Cannot read this: ${why}`, ...place, fix });
  }

  /** One for each reason: a hostile file would otherwise fill the report. */
  #add(finding: ConfigFinding): void {
    const alike = this.#findings.filter(({ severity }) => severity === finding.severity);
    if (alike.length >= MAX_FINDINGS) return;
    if (alike.every(({ message }) => message !== finding.message)) this.#findings.push(finding);
  }

  /** Place of an offset. Offsets come in order; -1 is where the last one was. */
  #place(offset: number): Place {
    this.#offset = Math.max(offset, this.#offset);
    while (this.#lineEnd < this.#offset) {
      this.#line++;
      this.#lineStart = this.#lineEnd + 1;
      this.#lineEnd = this.#endOfLine();
    }
    return { file: this.#file, line: this.#line, column: this.#offset - this.#lineStart + 1 };
  }

  #endOfLine(): number {
    const end = this.#text.indexOf("\n", this.#lineStart);
    return end < 0 ? Infinity : end;
  }
}

/** Offset of a value, with its quote; -1 for one that is left out. */
function startOf(event: Event | undefined): number {
  if (event?.type === EVENT_ID.ALIAS) return event.anchorStart - 1;
  if (event?.type !== EVENT_ID.SCALAR) return event && "start" in event ? event.start : -1;
  const { style, valueStart } = event;
  const isQuoted = style === SCALAR_STYLE.SINGLE_QUOTED || style === SCALAR_STYLE.DOUBLE_QUOTED;
  return isQuoted ? valueStart - 1 : valueStart;
}

function inherit(entries: Map<string, Entry>, source: Node): void {
  if (source.kind !== "map") return;
  for (const [key, entry] of source.entries) if (!entries.has(key)) entries.set(key, entry);
}
