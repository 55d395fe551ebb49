/** Questions of a streamed run at the terminal: one at a time, and none is lost. */

import { deepEqual } from "node:assert/strict";
import type { Client } from "../../cli/client.ts";
import { streamRun } from "../../cli/exec/stream.ts";
import { delay } from "../support/gateway.ts";

/** A run whose events are sent by the test, and what its person sees and answers. */
function open() {
  const events = new TransformStream<Uint8Array, Uint8Array>();
  const writer = events.writable.getWriter();
  const sent: string[] = [];
  const seen: string[] = [];
  const waiting = new Map<string, (answer: string) => void>();
  const post = (path: string, body: unknown) => {
    if (path === "/run") return Promise.resolve(new Response(events.readable));
    sent.push(`${path} ${JSON.stringify(body)}`);
    return Promise.resolve(new Response());
  };
  function ask(id: unknown, signal: AbortSignal): Promise<string> {
    seen.push(`asked ${id}`);
    const { promise, resolve } = Promise.withResolvers<string>();
    waiting.set(String(id), resolve);
    signal.addEventListener("abort", async () => {
      await delay(20);
      seen.push(`gone ${id}`);
      resolve("no");
    });
    return promise;
  }
  const running = streamRun({ post } as unknown as Client, {
    body: {},
    signal: new AbortController().signal,
    stdin: () => new Blob().stream(),
    confirm: {
      ask: (event, signal) => ask(event.id, signal) as Promise<"call">,
      askPlan: async (event, signal) => ({ allow: await ask(event.id, signal) as "all" }),
      declined: () => false,
    },
    elicit: async (event, signal) => ({ action: await ask(event.id, signal) as "accept" }),
    onEvent: () => Promise.resolve(),
  });
  return {
    sent,
    seen,
    answer: (id: string, answer: string) => waiting.get(id)?.(answer),
    async send(type: string, id: string) {
      await writer.write(new TextEncoder().encode(`${JSON.stringify({ type, id })}\n`));
      await delay(10);
    },
    async end() {
      const reply = { type: "result", ok: true, text: "", warnings: [] };
      await writer.write(new TextEncoder().encode(`${JSON.stringify(reply)}\n`));
      await running;
    },
  };
}

Deno.test("a new question waits until the open one has ended", async () => {
  for (
    const [first, second] of [["elicit", "confirm"], ["confirm", "elicit"], ["plan", "elicit"]]
  ) {
    const run = open();
    await run.send(first ?? "", "a");
    await run.send(second ?? "", "b");
    deepEqual(run.seen, ["asked a"]);
    run.answer("a", "yes");
    await delay(10);
    deepEqual(run.seen, ["asked a", "asked b"]);
    run.answer("b", "yes");
    await delay(10);
    deepEqual(run.sent.map((line) => line.split(" ")[0]?.slice(-2)), ["/a", "/b"]);
    await run.end();
  }
});

Deno.test("answered closes the question with its id, open or not yet shown", async () => {
  const run = open();
  for (const id of ["a", "b", "c"]) await run.send("elicit", id);
  await run.send("answered", "b");
  await run.send("answered", "unknown");
  deepEqual(run.seen, ["asked a"]);
  await run.send("answered", "a");
  await delay(40);
  deepEqual(run.seen, ["asked a", "gone a", "asked c"]);
  await run.send("answered", "a");
  await run.send("confirm", "d");
  deepEqual(run.seen, ["asked a", "gone a", "asked c"]);
  await run.end();
  deepEqual(run.seen, ["asked a", "gone a", "asked c", "gone c"]);
});
