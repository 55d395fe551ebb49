/** All output of the program: data to stdout, messages for a person to stderr. */

import type { CliIo } from "./io.ts";
import type { AskOptions, TerminalQuestion } from "./terminal/screen.ts";
import { escapeControls, PLAIN } from "./terminal/escapes.ts";
import type { Sink } from "./terminal/sink.ts";

export interface Printer {
  /** True where stdout shows colors. */
  readonly hasColors: boolean;
  /** Prints data and a newline; escaped on a terminal. */
  data(text: string): Promise<void>;
  /** Prints a value as JSON: indented on a terminal, on one line in a pipe. */
  json(value: unknown): Promise<void>;
  /** Prints a message for a person; not with `--quiet`. */
  say(text: string): Promise<void>;
  /** Prints a warning; rows after the first are set in. */
  warn(text: string): Promise<void>;
  /** Prints an error in the same way, with `--quiet` too. */
  error(text: string): Promise<void>;
  /** Prints the text of a failed run, with `--quiet` too. */
  failure(text: string): Promise<void>;
  /** Shows progress on a terminal only; the next output replaces it. */
  progress(text: string): Promise<void>;
  /** Prints output of a program unchanged. */
  raw(stream: "stdout" | "stderr", text: string): Promise<void>;
  /** Shows a question and reads the line that answers it; null at the end of input, or once the signal
   * is aborted. Other output waits for the answer. */
  ask(question: TerminalQuestion, options: AskOptions): Promise<string | null>;
}

export interface PrintOptions {
  readonly quiet: boolean;
  readonly noColor: boolean;
}

const RED = "\x1b[31m";
const YELLOW = "\x1b[33m";
const CLEAR_LINE = "\r\x1b[K";

/** Builds the printer for one invocation. */
export function createPrinter(
  io: Pick<CliIo, "stdout" | "stderr" | "screen">,
  options: PrintOptions,
): Printer {
  const { stdout, stderr } = io;
  const encoder = new TextEncoder();
  let hasProgress = false;

  async function clearProgress(): Promise<void> {
    if (!hasProgress) return;
    hasProgress = false;
    await stderr.write(encoder.encode(CLEAR_LINE));
  }
  async function write(sink: Sink, text: string): Promise<void> {
    await clearProgress();
    await sink.write(encoder.encode(text));
  }
  function line(sink: Sink, text: string): Promise<void> {
    const safe = escaped(sink, text);
    return write(sink, safe.endsWith("\n") ? safe : `${safe}\n`);
  }
  function paint(color: string, text: string): string {
    return stderr.isTerminal && !options.noColor ? `${color}${text}${PLAIN}` : text;
  }
  /** Sets in the rows after the first, which may be a stranger's text. */
  function labelled(label: string, text: string): Promise<void> {
    const rows = escaped(stderr, text).trimEnd().split("\n");
    return write(stderr, `${label}: ${rows.join("\n  ")}\n`);
  }

  return {
    hasColors: stdout.isTerminal && !options.noColor,
    data: (text) => line(stdout, text),
    json: (value) => line(stdout, JSON.stringify(value, null, stdout.isTerminal ? 2 : undefined)),
    say: async (text) => options.quiet ? undefined : await line(stderr, text),
    warn: async (text) =>
      options.quiet ? undefined : await labelled(paint(YELLOW, "Warning"), text),
    error: (text) => labelled(paint(RED, "Error"), text),
    failure(text) {
      const [first = "", ...rest] = escaped(stderr, text).trimEnd().split("\n");
      return write(stderr, `${[paint(RED, first), ...rest].join("\n")}\n`);
    },
    raw: (stream, text) => write(stream === "stdout" ? stdout : stderr, text),
    async ask(question, options) {
      await clearProgress();
      return await io.screen.ask(question, options);
    },
    async progress(text) {
      if (!stderr.isTerminal || options.quiet) return;
      const safe = escapeControls(text.replaceAll("\n", " ")).slice(0, stderr.columns - 1);
      await stderr.write(encoder.encode(`${CLEAR_LINE}${safe}`));
      hasProgress = true;
    },
  };
}

function escaped(sink: Sink, text: string): string {
  return sink.isTerminal ? escapeControls(text) : text;
}
