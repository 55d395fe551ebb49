/** `POST /run` as a stream: events as they come, the reply at the end. */

import { attempt, isObject } from "#base";
import type { RunReply } from "#runtime";
import { type Client, errorOf, GatewayError, type StreamedEvent } from "../client.ts";
import { CliError } from "../error.ts";
import { type Confirm, unconfirmed } from "./confirm.ts";
import type { Elicit } from "./elicit.ts";

export interface StreamOptions {
  readonly body: Record<string, unknown>;
  readonly signal: AbortSignal;
  /** Called when the program first reads its input. */
  readonly stdin: () => ReadableStream<Uint8Array>;
  /** True to wait for answers on the page. */
  readonly wait?: boolean;
  /** Asks a person; missing without a terminal. */
  readonly confirm?: Confirm;
  /** Shows the form of a server. */
  readonly elicit?: Elicit;
  readonly onEvent: (event: StreamedEvent) => Promise<void>;
}

/** Runs a program; resolves with its reply. Aborting `signal` cancels the run. */
export async function streamRun(client: Client, options: StreamOptions): Promise<RunReply> {
  try {
    return await stream(client, options);
  } catch (error) {
    const refused = error instanceof GatewayError && error.code === "needs_confirmation";
    throw refused ? unconfirmed(error, options.wait === true) : error;
  }
}

async function stream(client: Client, options: StreamOptions): Promise<RunReply> {
  const { onEvent, confirm, elicit } = options;
  const body = {
    ...options.body,
    ...(confirm ? {} : { ask: false }),
    ...(options.wait ? { wait: true } : {}),
    ...(elicit ? { elicit: true, elicit_url: true } : {}),
  };
  const answer = createAnswerer(client);
  const ended = new AbortController();
  const signal = AbortSignal.any([options.signal, ended.signal]);
  const headers = { accept: "application/x-ndjson" };
  const response = await client.post("/run", body, { headers, signal });
  try {
    for await (const event of linesOf(response)) {
      // The error in a reply is that of the program, not of the gateway.
      if (event.type === "result") return replyOf(event);
      const failure = errorOf(event);
      if (failure) throw failure;
      if (event.type === "stdin") void sendInput(client, event, { signal, open: options.stdin });
      else if (event.type === "confirm" && confirm) {
        answer.ask(event, signal, async (until) => ({ allow: await confirm.ask(event, until) }));
      } else if (event.type === "plan" && confirm) {
        answer.ask({ ...event, type: "confirm" }, signal, (until) => confirm.askPlan(event, until));
      } else if (event.type === "answered") answer.close(event);
      else if (event.type === "elicit" && elicit) {
        answer.ask(event, signal, (until) => elicit(event, until));
      } else await onEvent(event);
    }
  } finally {
    ended.abort();
    await answer.last(); // a question holds the output until it is gone
  }
  throw new CliError(1, `Cannot finish the run: the gateway at "${client.url}" stopped answering`);
}

type AskPerson = (signal: AbortSignal) => Promise<object>;

/** Answers one question at a time, in the order of their coming: each is shown when those before it are
 * gone. `close` takes back one that was answered elsewhere or withdrawn. */
function createAnswerer(client: Client) {
  const open = new Map<unknown, AbortController>();
  let last = Promise.resolve();

  async function answer({ type, id }: StreamedEvent, signal: AbortSignal, ask: AskPerson) {
    const path = `/${type}/${encodeURIComponent(String(id))}`;
    // The run has ended or the question has expired: the reply of the run reports it.
    await attempt(async () => {
      await (await client.post(path, await ask(signal), { signal })).body?.cancel();
    });
  }

  return {
    close: ({ id }: StreamedEvent) => open.get(id)?.abort(),
    /** Resolves when no question is open. */
    last: () => last,
    ask(event: StreamedEvent, signal: AbortSignal, ask: AskPerson): void {
      const closing = new AbortController();
      open.set(event.id, closing);
      const until = AbortSignal.any([signal, closing.signal]);
      last = last.then(() => until.aborted ? undefined : answer(event, until, ask))
        .finally(() => open.delete(event.id));
    },
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
  if (!isReply) {
    const message = "Cannot read the reply of the gateway: unknown format: check its version";
    throw new CliError(1, message);
  }
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
    // The run has ended or was refused: its reply reports it.
  }
}
