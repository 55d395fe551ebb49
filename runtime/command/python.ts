/** Advice for Python that is not in the dialect. */

import { PYTHON_WORDS, wordText } from "./python_words.ts";

export interface Construct {
  /** 0-based, in the line. */
  readonly at: number;
  readonly message: string;
}

interface Rule {
  readonly pattern: RegExp;
  /** Matches inside strings; other patterns see strings without their content. */
  readonly strings?: true;
  /** TypeScript equivalent; without one, `advice` gives the reason. */
  readonly write?: (...groups: string[]) => string;
  readonly advice?: string;
}

/** Longest line that is searched; hand-written Python is shorter, and longer lines cost time. */
const MAX_LINE = 400;
const NOT_PYTHON = "Commands are TypeScript, not Python";
const STRING = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`/g;

/** Constructs, in the order of the search; groups capture the author's names for the advice. */
const RULES: readonly Rule[] = [
  {
    pattern: /\b(async\s+)?def\s+(\w+)\s*\((.*?)\)\s*(?:->[^:]*)?:?/,
    write: (async, name, params) =>
      `${async === "" ? "" : "async "}function ${name}(${parameters(params)}) { … }`,
  },
  {
    pattern: /^\s*class\s+(\w+)\s*(?:\([^)]*\))?\s*:/,
    write: (name) => `class ${name} { … }`,
  },
  {
    pattern: /\[(.+?)\s+for\s+(\w+)\s+in\s+([^\]]+?)(?:\s+if\s+([^\]]+))?\]/,
    write: (value, name, list, condition) =>
      `${list}${condition ? `.filter((${name}) => ${condition})` : ""}.map((${name}) => ${value})`,
  },
  {
    pattern: /\{([^{}:]+):(.+?)\s+for\s+(.+?)\s+in\s+([^}]+)\}/,
    write: (key, value, name, list) =>
      `Object.fromEntries(${list}.map((${name}) => [${key}, ${value}]))`,
  },
  {
    pattern: /^\s*(?:async\s+)?for\s+(\w+)\s*,\s*(\w+)\s+in\s+enumerate\((.+)\)\s*:/,
    write: (index, name, list) => `for (const [${index}, ${name}] of ${list}.entries()) { … }`,
  },
  {
    pattern: /^\s*for\s+(\w+)\s+in\s+range\(\s*([^,)]+)\s*\)\s*:/,
    write: (name, end) => `for (let ${name} = 0; ${name} < ${end}; ${name}++) { … }`,
  },
  {
    pattern: /^\s*(?:async\s+)?for\s+(\w+(?:\s*,\s*\w+)*)\s+in\s+(.+?)\s*:/,
    write: (names, list) =>
      `for (const ${names.includes(",") ? `[${names}]` : names} of ${list}) { … }`,
  },
  { pattern: colon("elif"), write: (test) => `else if (${unbracketed(test)}) { … }` },
  {
    pattern: /^\s*import\s+([\w.]+(?:\s+as\s+\w+)?(?:\s*,\s*[\w.]+)*)\s*;?\s*(?:#.*)?$/,
    advice: "packs need no import",
  },
  {
    pattern: /^\s*from\s+[\w.]+\s+import\s+\S+/,
    advice: "packs need no import",
  },
  { pattern: /\blambda\b\s*([^:]*):\s*([^,)]*)/, write: (names, body) => `(${names}) => ${body}` },
  { strings: true, pattern: /(?<![\w"'`])[rb]?f[rb]?"((?:[^"\\]|\\.)*)"/i, write: interpolated },
  { strings: true, pattern: /(?<![\w"'`])[rb]?f[rb]?'((?:[^'\\]|\\.)*)'/i, write: interpolated },
  {
    strings: true,
    pattern: /(?<![\w"'`])[rbu]{1,2}"((?:[^"\\]|\\.)*)"/i,
    write: (text) => `String.raw\`${text}\``,
  },
  {
    strings: true,
    pattern: /(?<![\w"'`])[rbu]{1,2}'((?:[^'\\]|\\.)*)'/i,
    write: (text) => `String.raw\`${text}\``,
  },
  { strings: true, pattern: /"""|'''/, write: () => "`…`" },
  { pattern: colon("while"), write: (test) => `while (${unbracketed(test)}) { … }` },
  { pattern: colon("if"), write: (test) => `if (${unbracketed(test)}) { … }` },
  { pattern: /^\s*else\s*:/, write: () => "else { … }" },
  { pattern: /^\s*try\s*:/, write: () => "try { … } catch (error) { … }" },
  {
    pattern: /^\s*except\b\s*(?:[\w.]+(?:\s+as\s+(\w+))?)?\s*:/,
    write: (name) => `catch (${name || "error"}) { … }`,
  },
  { pattern: /^\s*finally\s*:/, write: () => "finally { … }" },
  {
    pattern: /^\s*(?:async\s+)?with\s+(.+?)\s+as\s+(\w+)\s*:/,
    write: (value, name) => `await using ${name} = ${value};`,
  },
  { pattern: /^\s*raise\b\s*(.*)/, write: (value) => `throw new Error(${quoted(value)})` },
  { pattern: /^\s*del\s+(.+)/, write: (target) => `delete ${target}` },
  { pattern: /^\s*assert\s+(.+)/, write: (test) => `if (!(${test})) throw new Error("…")` },
  { pattern: /^\s*pass\s*$/, write: () => "{}" },
  { pattern: /^\s*(?:global|nonlocal)\s+\w+/, advice: "outer variables can be set" },
  { pattern: /^\s*print\s+(?!\()(.+)/, write: (value) => `console.log(${value})` },
  {
    pattern: /(?<!\S)(\S+)\s+if\s+(.+?)\s+else\s+([^,)\]}]+)/,
    write: (yes, test, no) => `${test} ? ${yes} : ${no}`,
  },
  { pattern: wordAfter("is\\s+not"), write: (value) => `!== ${wordText(value)}` },
  { pattern: wordAfter("is"), write: (value) => `=== ${wordText(value)}` },
  {
    pattern: /(?<!\S)(\S+)\s+not\s+in\s+(\S+)/,
    write: (item, list) => `!${list}.includes(${item})`,
  },
  { pattern: /\band\b/, write: () => "&&" },
  { pattern: /\bor\b/, write: () => "||" },
  { pattern: /\bnot\s+(\S+)/, write: (value) => `!${value}` },
  { pattern: /[(,]\s*\*\*\s*(\w+)/, write: (name) => `{...${name}}` },
  { pattern: /[(,]\s*\*\s*(\w+)/, write: (name) => `...${name}` },
  {
    pattern: /([\w.)\]]+)\[([^\[\]:?"']*):([^\[\]:?"']*)\]/,
    write: (list, from, to) =>
      `${list}.slice(${from.trim() || "0"}${to.trim() ? `, ${to.trim()}` : ""})`,
  },
  { pattern: /(?:^|\s)#(?=\s|$).*/, write: () => "// …" },
];

/** Functions of Python, with their TypeScript. */
const FUNCTIONS = new Map(Object.entries({
  print: "`x` as the last line: that is the result (`console.log(x)` is only logged)",
  len: "x.length",
  str: "String(x)",
  int: "Math.trunc(Number(x))",
  float: "Number(x)",
  bool: "Boolean(x)",
  range: "Array.from({ length: n }, (_, i) => i)",
  dict: "({ a: 1 })",
  list: "[...x]",
  tuple: "[...x]",
  set: "new Set(x)",
  sorted: "x.toSorted()",
  reversed: "x.toReversed()",
  enumerate: "x.entries()",
  zip: "a.map((x, i) => [x, b[i]])",
  map: "xs.map(f)",
  filter: "xs.filter(f)",
  sum: "xs.reduce((a, b) => a + b, 0)",
  min: "Math.min(...xs)",
  max: "Math.max(...xs)",
  abs: "Math.abs(x)",
  round: "Math.round(x)",
  any: "xs.some((x) => x)",
  all: "xs.every((x) => x)",
  isinstance: "x instanceof Type",
  type: "typeof x",
  repr: "JSON.stringify(x)",
  input: "a parameter of the command",
  hasattr: '"name" in x',
  getattr: 'x["name"]',
  open: "a tool that reads files",
}));

/** Types of Python annotations. */
const ANNOTATIONS = new Map(Object.entries({
  str: "string",
  int: "number",
  float: "number",
  bool: "boolean",
  list: "unknown[]",
  List: "unknown[]",
  dict: "Record<string, unknown>",
  Dict: "Record<string, unknown>",
  Any: "any",
  Optional: "string | null",
  tuple: "[string, number]",
}));

/** Finds Python in a line that did not parse; undefined where it has no known construct. */
export function findPython(line: string): Construct | undefined {
  const text = line.slice(0, MAX_LINE);
  const bare = text.replace(STRING, hidden)
    .replace(/\/\/.*/, (comment) => " ".repeat(comment.length));
  for (const { pattern, strings, write, advice } of RULES) {
    const match = new RegExp(pattern, `${pattern.flags}d`).exec(strings ? text : bare);
    // The text of a string can look like the beginning of another string.
    if (!match || bare[match.index] !== text[match.index]) continue;
    const [whole, ...groups] = (match.indices ?? []).map((span) => span ? text.slice(...span) : "");
    const construct = whole ?? "";
    const lead = construct.length - construct.trimStart().length;
    const message = write
      ? notPython(construct.trim(), write(...groups.map((group) => group.trim())))
      : `${NOT_PYTHON}: leave out ${code(construct.trim())}: ${advice}`;
    return { at: match.index + lead, message };
  }
  return undefined;
}

/** TypeScript for a function of Python. */
export function pythonFunction(name: string): string | undefined {
  return FUNCTIONS.get(name);
}

/** TypeScript type for a type of Python. */
export function pythonType(name: string): string | undefined {
  return ANNOTATIONS.get(name);
}

/** Message for a construct. */
export function notPython(python: string, write: string): string {
  return `${NOT_PYTHON}: instead of ${code(python)} write ${code(write)}`;
}

function code(text: string): string {
  const short = text.length > 120 ? `${text.slice(0, 120)}…` : text;
  return short.includes("`") ? short : `\`${short}\``;
}

/** Pattern for a condition between a word and a colon; in parentheses only where the colon ends the
 * line. */
function colon(word: string): RegExp {
  return new RegExp(
    `^\\s*${word}\\s+((?!\\().+?(?=\\s*:)|\\(.*\\)(?=\\s*:\\s*(?:#.*)?$))\\s*:`,
  );
}

/** Replaces the content of a string literal, but not its quotes. */
function hidden(literal: string): string {
  return literal.charAt(0) + "_".repeat(literal.length - 2) + literal.charAt(0);
}

function interpolated(text: string): string {
  return `\`${text.replace(/(?<!\{)\{([^{}]+?)(?:![rsa])?(?::[^{}]*)?\}/g, "${$1}")}\``;
}

function parameters(params: string): string {
  return params.replace(/\s*:\s*[^,=]+/g, "").replace(/\s*=\s*/g, " = ");
}

function unbracketed(test: string): string {
  return /^\([^()]*\)$/.test(test) ? test.slice(1, -1) : test;
}

function quoted(value: string): string {
  return /\(\s*(["'].*["'])\s*\)/.exec(value)?.[1] ?? '"…"';
}

function wordAfter(operator: string): RegExp {
  return new RegExp(`\\b${operator}\\s+(${[...PYTHON_WORDS.keys()].join("|")})\\b`);
}
