/** Reads YAML, of which JSON is a part, into nodes with their places. */

import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Pair,
  type ParsedNode,
  parseDocument,
  type Scalar,
  type YAMLMap,
} from "yaml";
import type { ConfigFinding } from "../types.ts";
import { type Entry, isNull, type Node, type Place } from "./node.ts";

const MAX_CHARS = 4_000_000;
/** Values after aliases are followed: a file of ten lines can stand for a billion. */
const MAX_VALUES = 100_000;
const MAX_DEPTH = 64;

export interface ParsedFile {
  /** Undefined when the file is empty or cannot be read at all. */
  readonly node?: Node;
  readonly findings: readonly ConfigFinding[];
}

/** Parses one file. Mistakes are returned as findings, never thrown. */
export function parseYaml(text: string, file: string): ParsedFile {
  if (text.length > MAX_CHARS) {
    const message = `Cannot read it: ${text.length} characters, at most ${MAX_CHARS} are taken`;
    return { findings: [{ severity: "error", message, file }] };
  }
  const lines = new LineCounter();
  // The parser compares each key with all before it: many of them would take minutes.
  const options = { lineCounter: lines, prettyErrors: false, uniqueKeys: false };
  const document = parseDocument(text, options);
  const reader = new Reader(file, lines);
  reader.takeProblems(document);
  if (reader.findings.some((finding) => finding.severity === "error") || !document.contents) {
    return { findings: reader.findings };
  }
  const node = reader.read(document.contents, 0);
  return { node, findings: reader.findings };
}

const FIXES: Readonly<Record<string, string>> = {
  TAB_AS_INDENT: "Indent with spaces",
  MULTIPLE_DOCS: 'Keep one document: remove the "---"',
  BAD_INDENT: "Indent as deep as the lines around it, and close what is open",
  MISSING_CHAR: "Close the quote or the bracket that is open",
};

class Reader {
  readonly findings: ConfigFinding[] = [];
  readonly #file: string;
  readonly #lines: LineCounter;
  readonly #anchors = new Map<string, { node: Node; values: number }>();
  #values = 0;

  constructor(file: string, lines: LineCounter) {
    this.#file = file;
    this.#lines = lines;
  }

  takeProblems(document: Document): void {
    for (const problem of [...document.errors, ...document.warnings]) {
      const severity = problem.name === "YAMLWarning" ? "warning" : "error";
      const fix = FIXES[problem.code] ?? "Put the value in quotes if it is meant as text";
      const message = `Cannot read this as YAML: ${problem.message}`;
      this.findings.push({ severity, message, ...this.#place(problem.pos[0]), fix });
    }
  }

  read(node: ParsedNode | null, depth: number): Node {
    const place = this.#place(node?.range[0] ?? 0);
    if (++this.#values > MAX_VALUES) return this.#refuse(place, `over ${MAX_VALUES} values`);
    if (depth > MAX_DEPTH) return this.#refuse(place, `nested deeper than ${MAX_DEPTH}`);
    if (isAlias(node)) return this.#follow(node, place);
    const before = this.#values;
    const result = this.#convert(node, place, depth);
    if (node && !isAlias(node) && node.anchor) {
      this.#anchors.set(node.anchor, { node: result, values: this.#values - before + 1 });
    }
    return result;
  }

  #convert(node: ParsedNode | null, place: Place, depth: number): Node {
    if (isMap(node)) return this.#map(node as YAMLMap<ParsedNode, ParsedNode | null>, place, depth);
    if (isSeq(node)) {
      const items = node.items.map((item) => this.read(item as ParsedNode, depth + 1));
      return { kind: "list", items, place };
    }
    return scalar(isScalar(node) ? node : undefined, place);
  }

  #map(node: YAMLMap<ParsedNode, ParsedNode | null>, place: Place, depth: number): Node {
    const entries = new Map<string, Entry>();
    const merged: Node[] = [];
    const keys = new Set<string>();
    for (const pair of node.items) {
      const at = this.#place(pair.key.range[0]);
      const key = this.#key(pair, at);
      if (key === undefined) continue;
      if (keys.has(key)) this.#report(at, "map keys must be unique", "Remove one of the two");
      keys.add(key);
      const value = this.read(pair.value, depth + 1);
      if (key === "<<" && value.kind === "map") merged.push(value);
      else if (key === "<<" && value.kind === "list") merged.push(...value.items);
      else entries.set(key, { place: at, value: isNull(value) ? { ...value, place: at } : value });
    }
    for (const source of merged) inherit(entries, source);
    return { kind: "map", entries, place };
  }

  #key(pair: Pair<ParsedNode, ParsedNode | null>, at: Place): string | undefined {
    if (isScalar(pair.key)) return scalar(pair.key, at).source;
    this.#report(at, "a key must be a word or quoted text");
    return undefined;
  }

  #follow(alias: Alias.Parsed, place: Place): Node {
    const target = this.#anchors.get(alias.source);
    if (!target) return this.#refuse(place, `"*${alias.source}" stands inside what it names`);
    this.#values += target.values;
    if (this.#values > MAX_VALUES) return this.#refuse(place, `over ${MAX_VALUES} values`);
    return target.node;
  }

  #refuse(place: Place, why: string): Node {
    this.#report(place, why);
    return { kind: "scalar", value: null, source: "", place };
  }

  /** One for each reason: a hostile file would otherwise fill the report. */
  #report(place: Place, why: string, fix = "Write it shorter"): void {
    const message = `Cannot read this: ${why}`;
    if (this.findings.some((finding) => finding.message === message)) return;
    this.findings.push({ severity: "error", message, ...place, fix });
  }

  #place(offset: number): Place {
    const { line, col } = this.#lines.linePos(offset);
    return { file: this.#file, line: Math.max(1, line), column: Math.max(1, col) };
  }
}

function scalar(node: Scalar | undefined, place: Place): Node & { kind: "scalar" } {
  const value = node?.value;
  const source = typeof value === "string" ? value : node?.source ?? String(value ?? "");
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") {
    return { kind: "scalar", value, source, place };
  }
  return {
    kind: "scalar",
    value: value === null || value === undefined ? null : source,
    source,
    place,
  };
}

function inherit(entries: Map<string, Entry>, source: Node): void {
  if (source.kind !== "map") return;
  for (const [key, entry] of source.entries) if (!entries.has(key)) entries.set(key, entry);
}
