/** Questions of servers during a call: read as foreign input, and forwarded to the client of the call.
 * Without a client they are declined at once. */

import { countParts, isObject, type JsonObject, type JsonValue, keysOf, sizeAsJson } from "#base";
import { PackError } from "../../errors.ts";
import type { Peer, ServerQuestion } from "../../peer.ts";
import type { Failure } from "../connect/failure.ts";
import { shorten } from "./call_result.ts";
import type { Caller } from "./callers.ts";
import { plainSchema, setOff } from "./set_off.ts";

/** Limits of one question, and of all in one result: they are held while a person thinks. */
const MOST_BYTES = 1024 * 1024;
const MOST_PARTS = 50_000;
const MOST_FORM_BYTES = 64 * 1024;
const MOST_FIELDS = 100;
const MOST_AT_ONCE = 16;
/** Characters of the state that a server keeps at the client, and of the name of a question: both are
 * held while a person thinks, and sent back. */
const MOST_STATE = 256 * 1024;
const MOST_KEY = 1_000;
/** MCP 2025-11-25 §elicitation: the request needs addresses to be opened first. */
const URL_ELICITATION_REQUIRED = -32042;

export interface QuestionSource {
  /** The server that asks. */
  readonly server: string;
  /** Call of the question; missing where it is uncertain. */
  readonly caller: Caller | undefined;
  /** Aborted when the server cancels its question. */
  readonly signal?: AbortSignal;
}

/** Answers one question. Throws `PackError` for a question that cannot be declined. */
export async function answerQuestion(
  question: ServerQuestion,
  source: QuestionSource,
): Promise<JsonObject> {
  const { method } = question;
  return await answerRead({ method, safe: readQuestion(question, source.server) }, source);
}

/** A question in the form for clients, or the method alone of one that cannot be shown. */
interface ReadQuestion {
  readonly method: string;
  readonly safe: ServerQuestion | undefined;
}

async function answerRead(
  { method, safe }: ReadQuestion,
  { server, caller, signal }: QuestionSource,
): Promise<JsonObject> {
  const peer = caller?.peer;
  if (!caller || !peer || !safe || !canAnswer(peer, safe)) return refuse(method, server);
  const ended = signal ? AbortSignal.any([signal, caller.signal]) : caller.signal;
  const resume = caller.pause();
  try {
    const answer = await peer.answer(safe, ended);
    return readAnswer(answer, safe) ?? unanswered(safe, server);
  } finally {
    resume();
  }
}

/** Questions of an `input_required` result, without what cannot be shown, and its state. */
interface Questions {
  readonly questions: readonly (readonly [key: string, question: ReadQuestion])[];
  readonly state: { readonly requestState?: string };
}

/** Reads the questions of a result; undefined for one that has none. They are bounded together: a
 * server's result is not held while a person thinks. Throws `PackError` for a state that is too large
 * to keep, and for too many questions. */
export function readQuestions(result: unknown, server: string): Questions | undefined {
  if (!isObject(result) || result.resultType !== "input_required") return undefined;
  const state = keptState(result.requestState, server);
  const room = { bytes: MOST_BYTES, parts: MOST_PARTS };
  const questions = questionsOf(result.inputRequests, server).map(([key, question]) => {
    const safe = readQuestion(question, server, room);
    return [key, { method: question.method.slice(0, MOST_KEY), safe }] as const;
  });
  return { questions, state };
}

/** Answers all questions of a result: the parameters with which its call is repeated. Throws `PackError`
 * as `answerQuestion`. */
export async function answerAll(
  { questions, state }: Questions,
  source: QuestionSource,
): Promise<JsonObject> {
  const answers: [string, JsonValue][] = [];
  for (const [key, question] of questions) answers.push([key, await answerRead(question, source)]);
  return { inputResponses: Object.fromEntries(answers), ...state };
}

/** Forwarded result, reduced to its questions, in the form for clients, and its state. Throws
 * `PackError` where one cannot be shown, and for a state that is too large to keep. */
export function showQuestions(result: unknown, server: string): unknown {
  const read = readQuestions(result, server);
  if (!read) return result;
  const inputRequests = Object.fromEntries(
    read.questions.map(([key, { method, safe }]) => [key, safe ?? refuseToShow(method, server)]),
  );
  return { resultType: "input_required", inputRequests, ...read.state };
}

/** The state as the server gets it back; nothing for one that is no text. */
function keptState(requestState: unknown, server: string): { readonly requestState?: string } {
  if (typeof requestState !== "string") return {};
  if (requestState.length <= MOST_STATE) return { requestState };
  throw new PackError(
    "tool_error",
    `Cannot take questions of "${server}": their state has over ${MOST_STATE} characters`,
  );
}

/** Error of a server in the form for clients. One that asks for addresses to be opened lists them
 * as questions, and its message is set off. Throws `PackError` where one cannot be shown. */
export function showRefusal(refusal: Refusal, server: string): Refusal {
  if (refusal.code !== URL_ELICITATION_REQUIRED) return refusal;
  const listed = isObject(refusal.data) ? refusal.data.elicitations : undefined;
  const addresses: readonly unknown[] = Array.isArray(listed) ? listed : [];
  checkCount(addresses.length, server);
  const elicitations = addresses.map((address) => {
    const { message = "", url = null, elicitationId = null } =
      (isObject(address) ? address : {}) as JsonObject;
    const question = {
      method: "elicitation/create",
      params: { mode: "url", message, url, elicitationId },
    };
    return (readQuestion(question, server) ?? refuseToShow(question.method, server)).params;
  });
  return { ...refusal, message: setOff(refusal.message, server), data: { elicitations } };
}

type Refusal = Extract<Failure, { kind: "rpc" }>;

function refuseToShow(method: string, server: string): never {
  throw new PackError(
    "tool_error",
    `Cannot pass on a question of "${server}": its ${
      shorten(method)
    } is too large, or not one that a ` +
      "client can show",
  );
}

function questionsOf(inputRequests: unknown, server: string): [string, ServerQuestion][] {
  const requests = isObject(inputRequests) ? inputRequests : {};
  const keys = keysOf(requests);
  checkCount(keys.length, server);
  if (keys.some((key) => key.length > MOST_KEY)) {
    throw new PackError(
      "tool_error",
      `Cannot take questions of "${server}": the name of one has over ${MOST_KEY} characters`,
    );
  }
  return keys.map((key) => {
    const question = requests[key];
    const { method, params } = isObject(question) ? question : {};
    return [key, {
      method: textOf(method),
      params: isObject(params) ? params as JsonObject : {},
    }];
  });
}

/** A text; empty for anything else, whose text could be of any length. */
function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function checkCount(count: number, server: string): void {
  if (count <= MOST_AT_ONCE) return;
  throw new PackError(
    "tool_error",
    `Cannot answer "${server}": it asks ${count} questions at once: at most ${MOST_AT_ONCE} are taken`,
  );
}

/** Bytes and parts for which there is room yet. */
interface Room {
  bytes: number;
  parts: number;
}

/** Question in the form for clients: bounded, its text quoted below the server's name; undefined where
 * it cannot be shown. */
export function readQuestion(
  { method, params }: ServerQuestion,
  server: string,
  room: Room = { bytes: MOST_BYTES, parts: MOST_PARTS },
): ServerQuestion | undefined {
  if (method === "roots/list") return { method, params: {} };
  const bytes = sizeAsJson(params, room.bytes);
  const parts = countParts(params, room.parts);
  if (bytes > room.bytes || parts > room.parts) return undefined;
  room.bytes -= bytes;
  room.parts -= parts;
  if (method === "sampling/createMessage") {
    return Array.isArray(params.messages) ? { method, params: withoutContext(params) } : undefined;
  }
  if (method !== "elicitation/create" || bytes > MOST_FORM_BYTES) return undefined;
  const message = setOff(textOf(params.message), server);
  if (params.mode === "url") {
    const url = webAddress(params.url);
    if (url === undefined) return undefined;
    const { elicitationId } = params;
    const identity: JsonObject = typeof elicitationId === "string" ? { elicitationId } : {};
    return { method, params: { mode: "url", message, url, ...identity } };
  }
  if (!isForm(params)) return undefined;
  const requestedSchema = plainSchema(params.requestedSchema as JsonObject);
  return { method, params: { mode: "form", message, requestedSchema } };
}

/** Parameters without keywords of Toolscript and of the protocol, and without `includeContext`: to
 * a client, all servers are this one. */
function withoutContext(params: JsonObject): JsonObject {
  const { includeContext: _, _meta: __, task: ___, ...rest } = params;
  return rest;
}

function isForm({ mode, requestedSchema }: JsonObject): boolean {
  if (mode !== undefined && mode !== "form") return false;
  if (!isObject(requestedSchema) || !isObject(requestedSchema.properties)) return false;
  return Object.keys(requestedSchema.properties).length <= MOST_FIELDS;
}

/** Address as a browser shows it; undefined where it is not http or https, which could start a
 * program on the user's machine, or names a user, which would pass for the host. */
function webAddress(value: unknown): string | undefined {
  const url = typeof value === "string" ? URL.parse(value) : null;
  if (!url || !/^https?:$/.test(url.protocol)) return undefined;
  return url.username === "" && url.password === "" ? url.href : undefined;
}

/** Returns true where a client has the capability for a question, by the newest protocol. */
function canAnswer({ capabilities }: Peer, { method, params }: ServerQuestion): boolean {
  const { elicitation, sampling, roots } = capabilities;
  if (method === "roots/list") return isObject(roots);
  if (method === "sampling/createMessage") {
    const wantsTools = params.tools !== undefined || params.toolChoice !== undefined;
    return isObject(sampling) && (!wantsTools || isObject(sampling.tools));
  }
  if (!isObject(elicitation)) return false;
  if (params.mode === "url") return isObject(elicitation.url);
  return isObject(elicitation.form) || !elicitation.url; // one that names no mode means forms
}

function readAnswer(answer: unknown, { method }: ServerQuestion): JsonObject | undefined {
  if (!isObject(answer)) return undefined;
  const { action, content, roots, role, model } = answer as JsonObject;
  if (method === "roots/list") return Array.isArray(roots) ? { roots } : undefined;
  if (method === "sampling/createMessage") {
    return role !== undefined && model !== undefined && content !== undefined
      ? answer as JsonObject
      : undefined;
  }
  if (action === "accept") return isObject(content) ? { action, content } : { action };
  return action === "decline" || action === "cancel" ? { action } : undefined;
}

/** Result for a client that gave no answer. */
function unanswered(question: ServerQuestion, server: string): JsonObject {
  if (question.method === "elicitation/create") return { action: "cancel" };
  return refuse(question.method, server);
}

function refuse(method: string, server: string): JsonObject {
  if (method === "elicitation/create") return { action: "decline" };
  if (method === "roots/list") return { roots: [] };
  throw new PackError(
    "tool_error",
    `Cannot answer "${server}": it asks for ${shorten(method)}, and no client can answer that here`,
  );
}
