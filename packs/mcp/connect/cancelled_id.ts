/** Cancellations among the messages of MCP. */

import { isObject } from "#base";

/** Id of the request that a message cancels; undefined for any other message. */
export function cancelledId(message: unknown): unknown {
  const isCancel = isObject(message) && message.method === "notifications/cancelled";
  return isCancel && isObject(message.params) ? message.params.requestId : undefined;
}
