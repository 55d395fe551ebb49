/** Messages of servers that the client library validates, with nothing but what is read of them: it
 * describes each flaw, and that takes a gigabyte for a few megabytes of them. */

import { isObject } from "#base";

type Shape = true | { readonly [key: string]: Shape };

const MOST_VERSIONS = 100;
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

/** An acknowledged subscription. Its filter is not read. */
const ACKNOWLEDGED: Shape = {
  jsonrpc: true,
  method: true,
  params: { _meta: true, notifications: {} },
};

/** The result of `initialize` or `server/discover` without all else. */
export function trimHandshake(result: unknown): unknown {
  const trimmed = trim(result, ANSWER);
  if (!isObject(trimmed) || !Array.isArray(trimmed.supportedVersions)) return trimmed;
  return { ...trimmed, supportedVersions: trimmed.supportedVersions.slice(0, MOST_VERSIONS) };
}

/** An acknowledgement without all else; any other message as it is. */
export function trimAcknowledgement(message: Record<string, unknown>): unknown {
  const isOne = message.method === "notifications/subscriptions/acknowledged";
  return isOne ? trim(message, ACKNOWLEDGED) : message;
}

function trim(value: unknown, shape: Shape): unknown {
  if (shape === true || !isObject(value)) return value;
  const fields = Object.entries(shape).filter(([key]) => value[key] !== undefined);
  return Object.fromEntries(fields.map(([key, inner]) => [key, trim(value[key], inner)]));
}
