/** `POST /run` as a stream: events as they come, the answer at the end. */

import { isObject } from "#sandbox/json";
import type { RunReply } from "#runtime";
import { type Client, errorOf, GatewayError } from "../client.ts";
import { CliError } from "../error.ts";
import { type Confirm, unconfirmed } from "./confirm.ts";
import type { Elicit } from "./elicit.ts";
import type { StreamedEvent } from "./types.ts";

export interface StreamOptions {
  readonly body: Record<string, unknown>;
  readonly signal: AbortSignal;
  /** Called when the program first touches its input. */
  readonly stdin: () => ReadableStream<Uint8Array>;
  /** Asks a person; missing where there is none. */
  readonly confirm?: Confirm;
  /** Puts a server's form to them. */
  readonly elicit?: Elicit;
  readonly onEvent: (event: StreamedEvent) => Promise<void>;
}

/** Runs a program and answers with its reply. Aborting `signal` cancels the run. */
export async function streamRun(client: Client, options: StreamOptions): Promise<RunReply> {
  try {
    return await stream(client, options);
  } catch (error) {
    const refused = error instanceof GatewayError && error.code === "needs_confirmation";
    throw refused ? unconfirmed(error) : error;
  }
}

async function stream(client: Client, options: StreamOptions): Promise<RunReply> {
  const { onEvent, confirm, elicit } = options;
  const asking = { ...(confirm ? {} : { ask: false }), ...(elicit ? { elicit: true } : {}) };
  const body = { ...options.body, ...asking };
  const answer = createAnswerer(client);
  const ended = new AbortController();
  const signal = AbortSignal.any([options.signal, ended.signal]);
  const response = await client.request("/run", {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/x-ndjson" },
    body: JSON.stringify(body),
    signal,
  });
  try {
    for await (const event of linesOf(response)) {
      // An answer has an error of its own: the program's, not the gateway's.
      if (event.type === "result") return replyOf(event);
      const failure = errorOf(event);
      if (failure) throw failure;
      if (event.type === "stdin") void sendInput(client, event, { signal, open: options.stdin });
      else if (event.type === "confirm" && confirm) {
        answer(event, signal, async (until) => ({ allow: await confirm.ask(event, until) }));
      } else if (event.type === "elicit" && elicit) {
        answer(event, signal, (until) => elicit(event, until));
      } else await onEvent(event);
    }
  } finally {
    ended.abort();
  }
  throw new CliError(1, `Cannot finish the run: the gateway at "${client.url}" went away`);
}

type AskPerson = (signal: AbortSignal) => Promise<object>;

/** Answers one question at a time: the gateway asks the next when the last is over. */
function createAnswerer(client: Client) {
  let open = new AbortController();

  async function answer({ type, id }: StreamedEvent, signal: AbortSignal, ask: AskPerson) {
    try {
      const given = await ask(signal);
      const response = await client.request(`/${type}/${encodeURIComponent(String(id))}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(given),
        signal,
      });
      await response.body?.cancel();
    } catch {
      // The run has ended, or the question was too old: its own answer says so.
    }
  }

  return (event: StreamedEvent, signal: AbortSignal, ask: AskPerson): void => {
    open.abort();
    open = new AbortController();
    void answer(event, AbortSignal.any([signal, open.signal]), ask);
  };
}

async function* linesOf(response: Response): AsyncGenerator<StreamedEvent> {
  let rest = "";
  for await (const text of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const value: unknown = line === "" ? undefined : JSON.parse(line);
      if (isObject(value)) yield { ...value, type: String(value.type) };
    }
  }
}

function replyOf(event: StreamedEvent): RunReply {
  const { type: _, ...reply } = event;
  const isReply = typeof reply.ok === "boolean" && typeof reply.text === "string" &&
    Array.isArray(reply.warnings);
  if (!isReply) throw new CliError(1, "Cannot read the gateway's answer: is it a newer version?");
  return reply as unknown as RunReply;
}

interface Input {
  readonly signal: AbortSignal;
  readonly open: () => ReadableStream<Uint8Array>;
}

async function sendInput(client: Client, event: StreamedEvent, input: Input): Promise<void> {
  try {
    const response = await client.request(`/stdin/${encodeURIComponent(String(event.id))}`, {
      method: "POST",
      headers: { "content-type": "application/octet-stream" },
      body: input.open(),
      signal: input.signal,
    });
    await response.body?.cancel();
  } catch {
    // The run has ended, or is refused for it: its own answer says so.
  }
}
