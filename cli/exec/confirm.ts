/** Questions of a run, put to the person at the terminal. */

import type { Answer, RunReply } from "#runtime";
import { isObject } from "#sandbox/json";
import type { GatewayError } from "../client.ts";
import type { Context } from "../context.ts";
import { CliError } from "../error.ts";
import { escapeControls } from "../terminal.ts";
import { readLine } from "./read_line.ts";
import type { StreamedEvent } from "./types.ts";

export type Confirm = (event: StreamedEvent, signal: AbortSignal) => Promise<Answer>;

const MOST_CHARACTERS = 4_000;
const PROMPT = "[c]all, this tool for the [r]un, [N]o: ";
/** What a person without a terminal can do. */
const WAY_OUT = "run it on a terminal to be asked, or take the pattern out of " +
  "security.ask in the config";

/** Builds what asks; undefined where there is no terminal. Everything but a clear yes is a no. */
export function createConfirm({ io, print }: Context): Confirm | undefined {
  const { person } = io;
  if (!person) return undefined;
  return async (event, signal) => {
    await print.raw("stderr", `${questionOf(event)}\n${PROMPT}`);
    return answerOf(await readLine({ person, print }, signal));
  };
}

/** The gateway's refusal, with what can be done about it here. */
export function unconfirmed(error: GatewayError): CliError {
  const calls = Array.isArray(error.details.calls) ? error.details.calls.filter(isObject) : [];
  const names = calls.map(({ tool, line }) => {
    return typeof line === "number" ? `"${tool}" at line ${line}` : `"${tool}"`;
  });
  const { pattern } = error.details;
  const matches = typeof pattern === "string" ? ` (matches '${pattern}')` : "";
  const what = names.length === 0 ? "a call" : names.slice(0, 5).join(", ");
  const message = `Cannot run: ${what} must be confirmed${matches}: ${WAY_OUT}`;
  return new CliError(1, message, { cause: error });
}

/** Why a run failed, as its person reads it. */
export function failureText({ text, error }: RunReply): string {
  return error?.code === "needs_confirmation" ? `${text}\nHere: ${WAY_OUT}` : text;
}

function questionOf({ tool, arguments: args, line }: StreamedEvent): string {
  const place = typeof line === "number" ? ` (line ${line})` : "";
  const written = typeof args === "string" ? args : JSON.stringify(args, null, 2);
  const left = written.length - MOST_CHARACTERS;
  const shown = left > 0
    ? `${written.slice(0, MOST_CHARACTERS)}… (${left} more characters)`
    : written;
  // Set in, so that no text of a program can pass for the question.
  const lines = escapeControls(shown).split("\n").map((text) => `  | ${text}`);
  return [`Allow a call of ${escapeControls(String(tool))}${place}?`, ...lines].join("\n");
}

function answerOf(line: string | null): Answer {
  const word = line?.trim().toLowerCase();
  if (word === "c" || word === "call") return "call";
  return word === "r" || word === "run" ? "run" : "no";
}
