/** Output of the events of a run while it lasts. */

import type { StreamedEvent } from "../client.ts";
import type { Context } from "../context.ts";
import { endsLine, OutputEscaper } from "../terminal/escapes.ts";

export interface Output {
  take(event: StreamedEvent): Promise<void>;
  /** Ends an unfinished line, so that the next output begins a new one. */
  end(): Promise<void>;
}

type Stream = "stdout" | "stderr";

export interface OutputTarget {
  /** Stream for the stdout of the program. */
  readonly stdout: Stream;
}

/** Builds the output. With `--json` it shows only progress: the reply contains the rest. */
export function createOutput({ io, print, options }: Context, target: OutputTarget): Output {
  const hidden = options.json === true;
  const escapers = { stdout: escaperOf("stdout", io), stderr: escaperOf("stderr", io) };
  /** Address that the person was told to answer at. */
  let waitsAt: string | undefined;
  const last = { stdout: "\n", stderr: "\n" };

  async function show(stream: Stream, data: string): Promise<void> {
    const text = escapers[stream]?.take(data) ?? data;
    if (text === "") return;
    last[stream] = text;
    await print.raw(stream, text);
  }

  /** Shows the message of a server, with further lines indented; warnings come with the reply. */
  async function showLog({ level, logger, data }: StreamedEvent): Promise<void> {
    if (logger === undefined || (isDetail(level) && options.verbose !== true)) return;
    const text = typeof data === "string" ? data : JSON.stringify(data);
    const lines = `${logger}: ${level}: ${text}`.trimEnd().split("\n");
    await print.say(lines.join("\n  "));
  }

  async function showProgress(event: StreamedEvent): Promise<void> {
    const { address } = event;
    if (typeof address === "string" && address !== waitsAt) {
      waitsAt = address;
      await print.say(`Waiting for an answer: it can be given at ${address}`);
    }
    await print.progress(progressText(event));
  }

  return {
    async take(event) {
      if (event.type === "progress") await showProgress(event);
      else if (hidden) return;
      else if (event.type === "log") await showLog(event);
      else if (event.type === "stdout" || event.type === "stderr") {
        await show(event.type === "stdout" ? target.stdout : "stderr", String(event.data));
      }
    },
    async end() {
      await print.progress("");
      for (const stream of ["stdout", "stderr"] as const) {
        const rest = escapers[stream]?.end() ?? "";
        const ending = endsLine(rest || last[stream]) ? "" : "\n";
        if (rest + ending !== "") await print.raw(stream, rest + ending);
      }
    },
  };
}

/** The escaper of what reaches a terminal, or may do so beside a person who can be asked there. */
function escaperOf(stream: Stream, io: Context["io"]): OutputEscaper | undefined {
  const { isTerminal, isPipe = false } = io[stream];
  return isTerminal || isPipe && io.stderr.isTerminal ? new OutputEscaper({ isPipe }) : undefined;
}

function isDetail(level: unknown): boolean {
  return level === "debug" || level === "info";
}

function progressText(event: StreamedEvent): string {
  const { progress, total, message } = event;
  const share = typeof total === "number" ? ` (${progress}/${total})` : "";
  return `${typeof message === "string" ? message : "Working"}${share}`;
}
