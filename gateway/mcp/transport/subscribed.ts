/** Resources of a subscription of the newest protocol. */

/** Lists the URIs in a message; empty for any message but a subscription. */
import { isObject } from "#base";
export function subscribedResources(message: unknown): readonly string[] {
  if (!isObject(message) || message.method !== "subscriptions/listen") return [];
  const filter = isObject(message.params) ? message.params.notifications : undefined;
  const uris = isObject(filter) ? filter.resourceSubscriptions : undefined;
  return Array.isArray(uris) ? uris.filter((uri) => typeof uri === "string") : [];
}
