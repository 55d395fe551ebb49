/** Presence of a client at a gateway: a connection that lasts as long as the client. */

import { type Client, GatewayError } from "../client.ts";

export interface Presence {
  /** False once the gateway has gone. */
  isOpen(): boolean;
  close(): void;
}

/** Opens the connection; undefined for a gateway that does not count its clients, and stays. */
export async function openPresence(client: Client): Promise<Presence | undefined> {
  const left = new AbortController();
  const response = await client.request("/attach", { signal: left.signal }).catch((error) => {
    if (error instanceof GatewayError && error.code === "not_found") return undefined;
    throw error;
  });
  if (!response?.body) return undefined;
  let isOpen = true;
  drain(response.body).finally(() => isOpen = false);
  return { isOpen: () => isOpen, close: () => left.abort() };
}

async function drain(body: ReadableStream<Uint8Array>): Promise<void> {
  const reader = body.getReader();
  try {
    while (!(await reader.read()).done);
  } catch {
    // The gateway was killed, or this client leaves.
  }
}
