/** Messages of servers with nothing but what is read of them. The client library validates what it gets
 * and describes each flaw: that takes a gigabyte for a few megabytes of them. */

import { isObject } from "#base";

type Shape = true | { readonly [key: string]: Shape };

const MOST_VERSIONS = 100;
const MOST_METHOD = 200;
const FLAGS: Shape = { listChanged: true, subscribe: true };
const SERVER: Shape = { name: true, title: true, version: true, description: true };
const ANSWER: Shape = {
  resultType: true,
  ttlMs: true,
  cacheScope: true,
  protocolVersion: true,
  supportedVersions: true,
  instructions: true,
  capabilities: { tools: FLAGS, prompts: FLAGS, resources: FLAGS, logging: {}, completions: {} },
  serverInfo: SERVER,
  _meta: { "io.modelcontextprotocol/serverInfo": SERVER },
};

/** Requests of a server that are answered, read as they are. */
export const QUESTIONS = ["elicitation/create", "sampling/createMessage", "roots/list"];

/** Which subscription a notification is for. */
const _meta: Shape = { "io.modelcontextprotocol/subscriptionId": true };
/** Notifications that are read, with their parameters. */
const NOTICES = new Map<string, Shape>([
  ["notifications/tools/list_changed", { _meta }],
  ["notifications/prompts/list_changed", { _meta }],
  ["notifications/resources/list_changed", { _meta }],
  ["notifications/resources/updated", { uri: true, _meta }],
  ["notifications/message", { level: true, logger: true, data: true, _meta }],
  ["notifications/progress", { progressToken: true, progress: true, total: true, message: true }],
  ["notifications/cancelled", { requestId: true, reason: true }],
  // Its filter is not read.
  ["notifications/subscriptions/acknowledged", { _meta, notifications: {} }],
]);

/** The result of `initialize` or `server/discover` without all else. */
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

/** A request or a notification without all else. */
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
  const read = QUESTIONS.includes(method) ? params : undefined;
  return { kind: "message", message: { ...head, id, ...withParams(read) } };
}

function withParams(params: unknown): Record<string, unknown> {
  return params === undefined ? {} : { params };
}

/** Undefined where the shape has fields and the value has none. */
function trim(value: unknown, shape: Shape): unknown {
  if (shape === true) return value;
  if (!isObject(value)) return undefined;
  const fields = Object.entries(shape).map(([key, inner]) => [key, trim(value[key], inner)]);
  return Object.fromEntries(fields.filter(([, field]) => field !== undefined));
}
