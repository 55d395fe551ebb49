/** Waits until a gateway knows the tools of all its servers. */

import { isObject } from "#sandbox";
import type { Client } from "../client.ts";
import type { Printer } from "../print.ts";

const POLL_MS = 100;

/** Waits as long as servers are still connecting, and shows which. */
export async function waitForServers(client: Client, print: Printer): Promise<void> {
  for (;;) {
    const answer = await client.peek("/ready", 5_000);
    if (!isObject(answer) || answer.ready !== false) break;
    const pending = Array.isArray(answer.pending) ? answer.pending : [];
    await print.progress(`Connecting to ${pending.join(", ")}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  await print.progress("");
}
