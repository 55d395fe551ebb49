/** Which resources a subscription of the newest protocol is about. */

import { isObject } from "#sandbox";

/** The addresses named in a message, if it is a subscription. */
export function subscribedResources(message: unknown): readonly string[] {
  if (!isObject(message) || message.method !== "subscriptions/listen") return [];
  const filter = isObject(message.params) ? message.params.notifications : undefined;
  const uris = isObject(filter) ? filter.resourceSubscriptions : undefined;
  return Array.isArray(uris) ? uris.filter((uri) => typeof uri === "string") : [];
}
