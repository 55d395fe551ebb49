/** Reduces messages of servers to what is read of them. The client library validates all that it
 * gets and describes each flaw, which takes a gigabyte for a few megabytes of flaws. */

import { isObject } from "#base";

/** Part of a value that is kept: all, all but lists and objects, or these fields. */
type Shape = "any" | "plain" | { readonly [key: string]: Shape };

const MOST_VERSIONS = 100;
const MOST_METHOD = 200;
/** Field of `_meta` with the parameters of a question: the library looks at each. */
const PARAMS = "toolscript/params";
const FLAGS: Shape = { listChanged: "plain", subscribe: "plain" };
const SERVER: Shape = { name: "plain", title: "plain", version: "plain", description: "plain" };
const ANSWER: Shape = {
  resultType: "plain",
  ttlMs: "plain",
  cacheScope: "plain",
  protocolVersion: "plain",
  supportedVersions: "any",
  instructions: "plain",
  capabilities: { tools: FLAGS, prompts: FLAGS, resources: FLAGS, logging: {}, completions: {} },
  serverInfo: SERVER,
  _meta: { "io.modelcontextprotocol/serverInfo": SERVER },
};

/** Requests of a server that are answered. */
export const QUESTIONS = ["elicitation/create", "sampling/createMessage", "roots/list"];

/** Which subscription a notification is for. */
const _meta: Shape = { "io.modelcontextprotocol/subscriptionId": "plain" };
/** Notifications that are read, with their parameters. */
const NOTICES = new Map<string, Shape>([
  ["notifications/tools/list_changed", { _meta }],
  ["notifications/prompts/list_changed", { _meta }],
  ["notifications/resources/list_changed", { _meta }],
  ["notifications/resources/updated", { uri: "plain", _meta }],
  ["notifications/message", { level: "plain", logger: "plain", data: "any", _meta }],
  ["notifications/progress", {
    progressToken: "plain",
    progress: "plain",
    total: "plain",
    message: "plain",
  }],
  ["notifications/cancelled", { requestId: "plain", reason: "plain" }],
  // Its filter is not read.
  ["notifications/subscriptions/acknowledged", { _meta, notifications: {} }],
]);

/** Reduces the result of `initialize` or `server/discover` to what is read of it. */
export function trimHandshake(result: unknown): unknown {
  const trimmed = trim(result, ANSWER);
  if (!isObject(trimmed) || !Array.isArray(trimmed.supportedVersions)) return trimmed;
  return { ...trimmed, supportedVersions: trimmed.supportedVersions.slice(0, MOST_VERSIONS) };
}

export type Unasked =
  | { readonly kind: "message"; readonly message: Record<string, unknown> }
  /** A notification that is not read. */
  | { readonly kind: "unread" }
  | { readonly kind: "malformed" };

/** Reduces a request or a notification to what is read of it. */
export function trimUnasked({ jsonrpc, id, method, params }: Record<string, unknown>): Unasked {
  const isMethod = typeof method === "string" && method.length <= MOST_METHOD;
  const isWhole = jsonrpc === "2.0" && (params === undefined || isObject(params));
  if (!isMethod || !isWhole) return { kind: "malformed" };
  const head = { jsonrpc, method };
  if (id === undefined) {
    const shape = NOTICES.get(method);
    if (shape === undefined) return { kind: "unread" };
    return { kind: "message", message: { ...head, ...withParams(trim(params, shape)) } };
  }
  if (typeof id !== "string" && !Number.isSafeInteger(id)) return { kind: "malformed" };
  const carried = QUESTIONS.includes(method) ? { _meta: { [PARAMS]: params ?? {} } } : undefined;
  return { kind: "message", message: { ...head, id, ...withParams(carried) } };
}

/** The parameters of a question, as the server sent them. */
export function paramsOf(params: unknown): Record<string, unknown> {
  const carried = isObject(params) && isObject(params._meta) ? params._meta[PARAMS] : undefined;
  return isObject(carried) ? carried : {};
}

function withParams(params: unknown): Record<string, unknown> {
  return params === undefined ? {} : { params };
}

/** Undefined where the shape has fields and the value has none. */
function trim(value: unknown, shape: Shape): unknown {
  if (shape === "any") return value;
  if (shape === "plain") return typeof value === "object" ? undefined : value;
  if (!isObject(value)) return undefined;
  const fields = Object.entries(shape).map(([key, inner]) => [key, trim(value[key], inner)]);
  return Object.fromEntries(fields.filter(([, field]) => field !== undefined));
}
