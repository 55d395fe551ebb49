import assert from "node:assert/strict";
import { openGateway, type TestGateway } from "../support/gateway.ts";
import { pinnedCommand } from "../support/servers.ts";

Deno.test("GET /events tells of runs, calls and servers as they change", async (t) => {
  await using gateway = await openGateway({ servers: { shop: pinnedCommand("everything") } });
  await gateway.ready();

  await t.step("a run and its calls", async () => {
    await using events = await follow(gateway);
    const reply = await gateway.run(
      `import { tools } from "toolscript"; return await tools.shop.echo({ message: "hi" })`,
    );
    const { run } = reply;
    assert.deepEqual(await events.take(4), [
      { type: "run", run, state: "running" },
      { type: "call", run, tool: "shop.echo", state: "running" },
      { type: "call", run, tool: "shop.echo", state: "ok" },
      { type: "run", run, state: "ok" },
    ]);
  });

  await t.step("a server", async () => {
    await using events = await follow(gateway);
    await (await gateway.fetch("/page/servers/shop/restart", {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      redirect: "manual",
    })).body?.cancel();
    const states = (await events.take(3)).map(({ type, name, status }) => [type, name, status]);
    assert.deepEqual(states, [
      ["server", "shop", "idle"],
      ["server", "shop", "connecting"],
      ["server", "shop", "connected"],
    ]);
  });

  await t.step("no more streams than it can hold", async () => {
    const open = await Promise.all(Array.from({ length: 64 }, () => gateway.fetch("/events")));
    const refused = await gateway.fetch("/events");
    assert.equal(refused.status, 429);
    await refused.body?.cancel();
    await Promise.all(open.map(({ body }) => body?.cancel()));
  });

  await t.step("the end of the gateway ends the stream", async () => {
    const { body } = await gateway.fetch("/events");
    await gateway.close();
    for await (const _ of body ?? []);
  });
});

interface Followed extends AsyncDisposable {
  take(count: number): Promise<Record<string, unknown>[]>;
}

async function follow(gateway: TestGateway): Promise<Followed> {
  const response = await gateway.fetch("/events");
  assert.equal(response.headers.get("content-type"), "text/event-stream");
  const reader = (response.body ?? new ReadableStream<Uint8Array<ArrayBuffer>>()).pipeThrough(
    new TextDecoderStream(),
  ).getReader();
  let text = "";
  return {
    async take(count) {
      const pattern = /event: (\w+)\ndata: (.*)\n\n/g;
      for (;;) {
        const events = [...text.matchAll(pattern)];
        if (events.length >= count) {
          return events.map(([, type, data = ""]) => ({ type, ...JSON.parse(data) }));
        }
        const { value, done } = await reader.read();
        assert.ok(!done, text);
        text += value;
      }
    },
    [Symbol.asyncDispose]: () => reader.cancel(),
  };
}
