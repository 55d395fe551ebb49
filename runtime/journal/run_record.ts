/** One run as the journal keeps it: beginnings of texts, within a number of characters. */

import { type JsonValue, messageOf, ownText } from "#base";
import { type CallEnd, PackError, type StartedCall } from "#packs";
import { RunRefused } from "../run/errors.ts";
import type { RunReply } from "../run/types.ts";
import type { BegunRun } from "../run/watched.ts";
import { type Excerpt, excerpt } from "./excerpt.ts";
import type { JournalCall, RunDetails, RunState, RunSummary } from "./types.ts";

/** Characters that are shown. */
const MOST = { program: 65_536, output: 32_768, text: 32_768, args: 4_096, result: 8_192 } as const;
/** Characters kept beyond them, so that no secret is cut in two before it is taken out. */
const SLACK = 1_024;
/** Characters of all calls of a run; further arguments and results are not kept. */
const MOST_OF_CALLS = 524_288;
const MOST_CALLS = 500;
const MOST_WARNINGS = 50;
const MOST_MESSAGE = 4_096;
const MOST_NAME = 100;
const MOST_TOOLS = 200;
const TITLE = 160;

interface CallRecord {
  readonly tool: string;
  readonly at: number;
  /** Values whose excerpts `settle` makes later: after the call, once the program goes on. */
  pending: { readonly args: unknown; end?: CallEnd } | undefined;
  ms: number | null;
  code: string | null;
  state: RunState;
  args: Excerpt;
  result: Excerpt | null;
}

interface Failure {
  readonly code: string;
  readonly message: Excerpt;
  readonly line: number | null;
}

const NOTHING: Excerpt = { text: "", isCut: false };
const LEFT_OUT: Excerpt = { text: "", isCut: true };

/** Takes secrets out of a text. */
export type Redact = (text: string) => string;

export class RunRecord {
  readonly run: string;
  readonly within: string | null;
  readonly at: number;
  readonly client: string;
  readonly tools = new Set<string>();
  readonly #kind: RunSummary["kind"];
  readonly #file: string | null;
  readonly #program: Excerpt;
  readonly #calls: CallRecord[] = [];
  readonly #output = { stdout: "", stderr: "" };
  #callCount = 0;
  #size: number;
  #isOk = false;
  #text: Excerpt | null = null;
  #stored: string | null = null;
  #warnings: readonly string[] = [];
  #failure: Failure | undefined;
  #ms: number | null = null;

  constructor(begun: BegunRun, at: number) {
    const { run, within = null, client, request } = begun;
    this.run = run;
    this.within = within;
    this.at = at;
    this.client = ownText((client ?? "unknown").slice(0, MOST_NAME));
    this.#kind = request.kind;
    this.#file = request.kind === "script" ? ownText(request.file.slice(0, MOST_NAME)) : null;
    const program = request.kind === "command" ? request.command : request.script;
    this.#program = excerpt(program, MOST.program + SLACK);
    this.#size = this.#program.text.length;
  }

  /** Characters that it holds, about. */
  get size(): number {
    return this.#size;
  }

  get state(): RunState {
    if (this.#ms === null) return "running";
    return this.#isOk ? "ok" : "failed";
  }

  get code(): string | null {
    return this.#failure?.code ?? null;
  }

  /** Adds the begin of a call; returns the function that takes its end. */
  call(tool: string, { args }: StartedCall, at: number): (end: CallEnd, at: number) => void {
    this.#callCount++;
    if (this.tools.size < MOST_TOOLS) this.tools.add(tool);
    const record: CallRecord = {
      tool,
      at,
      ms: null,
      code: null,
      state: "running",
      args: NOTHING,
      result: null,
      pending: { args },
    };
    if (this.#calls.length < MOST_CALLS) this.#calls.push(record);
    return (end, endedAt) => {
      record.ms = endedAt - at;
      record.state = "error" in end ? "failed" : "ok";
      record.code = "error" in end ? codeOf(end.error) : null;
      if (record.pending) record.pending.end = end;
    };
  }

  /** Makes the excerpts of ended calls; with `all` also those of calls under way, which are made
   * again at the end of the call. */
  settle(all = false): void {
    for (const call of this.#calls) {
      const { pending } = call;
      if (!pending || !pending.end && !all) continue;
      const isFull = this.#size > MOST_OF_CALLS;
      call.args = isFull ? LEFT_OUT : excerpt((pending.args ?? {}) as JsonValue, MOST.args + SLACK);
      if (!pending.end) continue;
      call.result = isFull ? LEFT_OUT : resultOf(pending.end);
      call.pending = undefined;
      this.#size += call.args.text.length + call.result.text.length;
    }
  }

  print(stream: "stdout" | "stderr", data: string): void {
    const room = MOST.output + SLACK + 1 - this.#output[stream].length;
    if (room <= 0) return;
    this.#output[stream] += ownText(data.slice(0, room));
    this.#size += Math.min(room, data.length);
  }

  /** Takes the end of the run. */
  end({ ok, ms, text, stored, warnings, error }: RunReply): void {
    this.#isOk = ok;
    this.#text = excerpt(text, MOST.text + SLACK);
    this.#stored = stored ?? null;
    this.#warnings = warnings.slice(0, MOST_WARNINGS)
      .map((warning) => excerpt(warning, MOST_MESSAGE + SLACK).text);
    if (error) this.#fail(error.code, error);
    this.#ms = ms;
    this.#size += this.#text.text.length + this.#warnings.join("").length;
  }

  refuse(error: unknown, at: number): void {
    const code = error instanceof RunRefused ? error.code : "internal";
    this.#fail(code, { message: messageOf(error) });
    this.#ms = at - this.at;
  }

  #fail(code: string, { message, line }: { readonly message: string; readonly line?: number }) {
    const kept = excerpt(message, MOST_MESSAGE + SLACK);
    this.#failure = { code, message: kept, line: line ?? null };
    this.#size += kept.text.length;
  }

  summary(redact: Redact): RunSummary {
    return {
      run: this.run,
      kind: this.#kind,
      client: this.client,
      within: this.within,
      at: this.at,
      ms: this.#ms,
      state: this.state,
      code: this.code,
      title: redact(titleOf(this.#program.text).slice(0, TITLE + SLACK)).slice(0, TITLE)
        .toWellFormed(),
      calls: this.#callCount,
    };
  }

  details(redact: Redact): Omit<RunDetails, "parts"> {
    this.settle(true);
    const cut = (part: Excerpt, most: number): Excerpt => {
      const text = redact(part.text);
      const isCut = part.isCut || text.length > most;
      return { text: text.slice(0, most).toWellFormed(), isCut };
    };
    const output = (text: string) => cut({ text, isCut: false }, MOST.output);
    const failure = this.#failure;
    return {
      ...this.summary(redact),
      file: this.#file,
      program: cut(this.#program, MOST.program),
      list: this.#calls.map((call): JournalCall => ({
        tool: call.tool,
        state: call.state,
        after: call.at - this.at,
        ms: call.ms,
        code: call.code,
        args: cut(call.args, MOST.args),
        result: call.result && cut(call.result, MOST.result),
      })),
      stdout: output(this.#output.stdout),
      stderr: output(this.#output.stderr),
      text: this.#text && cut(this.#text, MOST.text),
      stored: this.#stored,
      error: failure === undefined ? null : {
        message: cut(failure.message, MOST_MESSAGE).text,
        line: failure.line,
      },
      warnings: this.#warnings.map((text) => cut({ text, isCut: false }, MOST_MESSAGE).text),
    };
  }
}

function resultOf(end: CallEnd): Excerpt {
  if ("result" in end) return excerpt(end.result.value, MOST.result + SLACK);
  const { error } = end;
  return excerpt(messageOf(error), MOST.result + SLACK);
}

function codeOf(error: unknown): string {
  return error instanceof PackError ? error.code : "internal";
}

/** First line of a program that says something. */
function titleOf(program: string): string {
  const lines = program.slice(0, 4 * SLACK).split("\n").map((line) => line.trim());
  const isSaying = (line: string) =>
    line !== "" && !/^(?:```|~~~|\/\/|#|\/?\*|import\b)/.test(line);
  return lines.find(isSaying) ?? lines.find((line) => line !== "") ?? "";
}
