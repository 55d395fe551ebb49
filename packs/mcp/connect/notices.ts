/** Notifications of a server: changed lists, changed resources, its log. */

import type { Client, McpSubscription, RequestOptions } from "@modelcontextprotocol/client";
import { abortable, type JsonObject } from "#base";
import type { ServerNotice } from "./connection.ts";

const LISTEN_MS = 10_000;
const RELISTEN_MS = 5_000;

type Filter = Parameters<Client["listen"]>[0];

export interface FollowOptions {
  readonly signal: AbortSignal;
  readonly onNotice: (notice: ServerNotice) => void;
}

/** Forwards every notification during the life of the connection. */
export async function followNotices(client: Client, options: FollowOptions): Promise<void> {
  const { onNotice } = options;
  for (const kind of ["tools", "prompts", "resources"] as const) {
    client.setNotificationHandler(`notifications/${kind}/list_changed`, () => onNotice({ kind }));
  }
  client.setNotificationHandler("notifications/resources/updated", ({ params }) => {
    onNotice({ kind: "resource", uri: params.uri });
  });
  client.setNotificationHandler("notifications/message", ({ params }) => {
    onNotice({ kind: "log", params: { ...params } as JsonObject });
  });
  if (client.getProtocolEra() !== "modern") return;
  const filter = changesOf(client);
  if (Object.keys(filter).length === 0) return;
  try {
    const subscription = await abortable(listen(client, filter), options.signal);
    void keepListening(client, filter, subscription);
  } catch (error) {
    options.signal.throwIfAborted();
    // The tools still work; their list is read again at the next connect.
    client.onerror?.(error instanceof Error ? error : new Error(String(error)));
  }
}

/** Subscribes to a resource; the returned function unsubscribes. */
export async function watchResource(
  client: Client,
  uri: string,
  options: RequestOptions,
): Promise<() => Promise<void>> {
  if (client.getProtocolEra() !== "modern") {
    await client.subscribeResource({ uri }, options);
    return async () => void await client.unsubscribeResource({ uri });
  }
  const filter: Filter = { resourceSubscriptions: [uri] };
  let stopped = false;
  let subscription = await listen(client, filter);
  void keepListening(client, filter, subscription, (next) => {
    subscription = next;
    return !stopped;
  });
  return async () => {
    stopped = true;
    await subscription.close();
  };
}

function changesOf(client: Client): Filter {
  const { tools, prompts, resources } = client.getServerCapabilities() ?? {};
  return {
    ...(tools?.listChanged ? { toolsListChanged: true } : {}),
    ...(prompts?.listChanged ? { promptsListChanged: true } : {}),
    ...(resources?.listChanged ? { resourcesListChanged: true } : {}),
  };
}

function listen(client: Client, filter: Filter): Promise<McpSubscription> {
  return client.listen(filter, { timeout: LISTEN_MS });
}

/** Reopens a dropped stream during the life of the connection. */
async function keepListening(
  client: Client,
  filter: Filter,
  first: McpSubscription,
  matches: (next: McpSubscription) => boolean = () => true,
): Promise<void> {
  let subscription = first;
  while (await subscription.closed === "remote") {
    await new Promise((resolve) => Deno.unrefTimer(setTimeout(resolve, RELISTEN_MS)));
    if (client.transport === undefined) return;
    try {
      subscription = await listen(client, filter);
    } catch {
      // The server refuses further subscriptions; its list is read again at the next connect.
      return;
    }
    if (!matches(subscription)) return await subscription.close();
  }
}
