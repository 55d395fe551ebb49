/** `POST /run` as one JSON response or as a stream of events, and the answers of clients to runs. */

import { isObject, type JsonObject, type JsonValue, type Log, type TraceContext } from "#base";
import {
  type Answerer,
  type GivenAnswer,
  jsonOf,
  type RunEvent,
  type Runner,
  type RunRequest,
  type WaitingQuestion,
} from "#runtime";
import { readBytes, readJson } from "../body.ts";
import { openStream } from "../bounded_stream.ts";
import { clientOf } from "../client_name.ts";
import { createInputs, type Inputs } from "./inputs.ts";
import { type Elicitations, streamPeer } from "./elicitations.ts";
import { HttpError, problemResponse } from "../problem.ts";
import { readAnswer } from "../question_routes.ts";
import { createQuestions, type Questions } from "./questions.ts";
import { type ParsedRunRequest, readRunRequest } from "./run_request.ts";
import { traceOf } from "../trace_context.ts";

export interface RunRoutesDeps {
  readonly runner: Pick<Runner, "run">;
  readonly limits: () => { readonly bodyBytes: number };
  readonly project: string;
  /** Time limit for the answer to a question. */
  readonly askTimeoutMs: () => number;
  readonly log: Log;
  readonly newId: () => string;
}

export interface RunRoutes {
  run(request: Request): Promise<Response>;
  stdin(id: string, request: Request): Promise<Response>;
  confirm(id: string, request: Request): Promise<Response>;
  elicit(id: string, request: Request): Promise<Response>;
}

/** Builds the routes, which share the pending inputs and questions. */
export function createRunRoutes(deps: RunRoutesDeps): RunRoutes {
  const inputs = createInputs(deps.newId);
  const options = { newId: deps.newId, timeoutMs: deps.askTimeoutMs };
  const questions = createQuestions<GivenAnswer>(options);
  const elicitations = createQuestions<JsonObject>(options);
  return {
    async run(request) {
      const body = await readJson(request, deps.limits().bodyBytes);
      if (!isObject(body)) {
        throw new HttpError(
          "bad_request",
          'Cannot run: the body is not an object: send {"command": "…"} or ' +
            '{"script": "…"}',
        );
      }
      const stream = wantsStream(request);
      const read = readRunRequest(body, { stream, project: deps.project });
      const client = clientOf(request);
      const trace = traceOf(request);
      if (stream) return streamed({ deps, inputs, questions, elicitations, read, client, trace });
      const reply = await deps.runner.run(withInput(read.run, read.stdin), {
        signal: request.signal,
        client,
        trace,
        repeatable: true,
        waits: read.wait,
      });
      return new Response(await jsonOf(reply as unknown as JsonValue), {
        headers: { "content-type": "application/json" },
      });
    },
    async confirm(id, request) {
      const body = await readJson(request, deps.limits().bodyBytes);
      return taken(questions.answer(id, readAnswer(body)), `run asks the question "${id}"`);
    },
    async elicit(id, request) {
      const body = await readJson(request, deps.limits().bodyBytes);
      if (!isObject(body) || !isAction(body.action)) {
        throw new HttpError(
          "bad_request",
          'Cannot answer: "action" is not "accept", "decline" or "cancel"',
        );
      }
      return taken(elicitations.answer(id, body as JsonObject), `server asks the question "${id}"`);
    },
    async stdin(id, request) {
      const input = inputs.take(id);
      if (!input) {
        throw new HttpError("not_found", `No run asks for the input "${id}": it has ended`);
      }
      const bytes = await readBytes(request, deps.limits().bodyBytes).catch((error) => {
        input.reject(error);
        throw error;
      });
      input.resolve(bytes);
      return Response.json({ ok: true });
    },
  };
}

/** Response to an answer; throws 404 for one that nothing waits for. */
function taken(isTaken: boolean, asker: string): Response {
  if (isTaken) return Response.json({ ok: true });
  throw new HttpError("not_found", `No ${asker}: it was answered or has ended`);
}

function isAction(value: unknown): boolean {
  return value === "accept" || value === "decline" || value === "cancel";
}

function wantsStream(request: Request): boolean {
  return (request.headers.get("accept") ?? "").toLowerCase().includes("application/x-ndjson");
}

function withInput(run: RunRequest, stdin: string | null): RunRequest {
  if (stdin === null) return run;
  const bytes = new TextEncoder().encode(stdin);
  return { ...run, stdin: () => Promise.resolve(bytes), stdinText: stdin };
}

interface StreamOptions {
  readonly deps: RunRoutesDeps;
  readonly inputs: Inputs;
  readonly questions: Questions<GivenAnswer>;
  readonly elicitations: Elicitations;
  readonly read: ParsedRunRequest;
  readonly client: string | undefined;
  readonly trace: TraceContext | undefined;
}

/** Responds at the first event, so that a run refused before has an error status of its own. */
async function streamed(
  { deps, inputs, questions, elicitations, read, client, trace }: StreamOptions,
): Promise<Response> {
  const disconnected = new AbortController();
  const stream = openStream(MOST_WAITING, () => disconnected.abort());
  const started = Promise.withResolvers<void>();
  function sendLine(value: unknown): void {
    if (isPassing(value) && !stream.hasRoom()) return;
    sendText(JSON.stringify(value));
  }
  function sendText(json: string): void {
    stream.send(new TextEncoder().encode(`${json}\n`));
  }
  function send(event: RunEvent): void {
    sendLine(event);
    started.resolve();
  }
  const { run, stdin, ask, wait, elicit, showsUrls } = read;
  const input = stdin === "later" ? inputs.open((id) => send({ type: "stdin", id })) : undefined;
  const request = input ? { ...run, stdin: input.read } : withInput(run, stdin);
  const ended = deps.runner
    .run(request, {
      signal: disconnected.signal,
      onEvent: send,
      client,
      trace,
      repeatable: true,
      waits: wait,
      answerers: ask ? [confirmAnswerer({ questions, send, client })] : [],
      peer: streamPeer(elicitations, { send, asks: elicit, showsUrls, waits: wait }),
    })
    .then(async (reply) => {
      sendText(await jsonOf({ type: "result", ...reply } as unknown as JsonValue));
      started.resolve();
    })
    .catch(async (error) => {
      started.reject(error);
      sendLine(await problemResponse(error, deps.log).json());
    })
    .finally(() => {
      input?.close();
      stream.end();
    });
  ended.catch(() => {}); // Every failure was sent above.
  await started.promise;
  return new Response(stream.body, {
    headers: { "content-type": "application/x-ndjson", "cache-control": "no-store" },
  });
}

interface ConfirmOptions extends Pick<StreamOptions, "questions" | "client"> {
  readonly send: (event: RunEvent) => void;
}

/** Builds the way to ask the client of a stream: a `confirm` event, and an `answered` one where the answer came
 * from elsewhere. */
function confirmAnswerer({ questions, send, client }: ConfirmOptions): Answerer {
  return {
    from: { via: client === "cli" ? "terminal" : "http", client },
    async ask(question, signal) {
      let id = "";
      const answer = await questions.ask((newId) => {
        id = newId;
        send(questionEvent(id, question));
      }, signal);
      if (answer) return answer;
      send({ type: "answered", id });
    },
  };
}

function questionEvent(id: string, question: WaitingQuestion): RunEvent {
  const { code, tool = "", arguments: args = {}, line, because } = question;
  if (question.kind === "plan") {
    const { calls = [], uncertain = false, incomplete = false } = question;
    return { type: "plan", id, calls, uncertain, incomplete };
  }
  const kind = code ? { kind: "code" } as const : {};
  const reason = because === null ? {} : { because };
  return { type: "confirm", id, ...kind, tool, arguments: args, line, ...reason };
}

/** Bytes that wait for a client; progress and logs are left out where more do. */
const MOST_WAITING = 1_048_576;

/** True for an event that may be dropped: a server can send any number of them. */
function isPassing(value: unknown): boolean {
  return isObject(value) && (value.type === "progress" || value.type === "log");
}
