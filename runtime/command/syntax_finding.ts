/** Findings for commands that do not parse: the parser's message, or advice for Python. */

import { lineStart } from "./recover.ts";
import type { ParseResult } from "../syntax/parse.ts";
import { findPython } from "./python.ts";
import type { CommandFinding } from "./types.ts";

type Failure = Extract<ParseResult, { kind: "failed" }>;

/** Creates the finding for a text that does not parse, at the author's place. */
export function syntaxFinding(text: string, failure: Failure): CommandFinding {
  const python = failure.tooDeep
    ? undefined
    : pythonAt(text, failure.line) ?? pythonBefore(text, failure.line);
  return python ?? {
    kind: "finding",
    code: "syntax_error",
    message: printable(failure.message),
    line: failure.line,
    column: failure.column,
  };
}

function pythonAt(text: string, line: number): CommandFinding | undefined {
  const source = lineText(text, line);
  const python = findPython(source);
  if (!python) return undefined;
  return {
    kind: "finding",
    code: "syntax_error",
    message: printable(python.message),
    line,
    column: python.at + 1,
  };
}

/** Python line of an error. The parser notices `import os` only on the next line with code. */
function pythonBefore(text: string, line: number): CommandFinding | undefined {
  for (let at = line - 1; at > 0 && at >= line - 5; at--) {
    const source = lineText(text, at).trim();
    if (source === "") continue;
    return /^(?:import|from)\b/.test(source) ? pythonAt(text, at) : undefined;
  }
  return undefined;
}

function lineText(text: string, line: number): string {
  const start = lineStart(text, line);
  return /[^\n\r\u2028\u2029]*/y.exec(text.slice(start, start + 1_000))?.[0] ?? "";
}

/** Removes control characters. */
function printable(text: string): string {
  return text.toWellFormed().replace(
    // deno-lint-ignore no-control-regex
    /[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069]/g,
    (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
