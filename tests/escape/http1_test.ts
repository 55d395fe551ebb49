/** No server is spoken to over HTTP/2, whose frames no limit counts. */

import assert from "node:assert/strict";
import { http1Fetch } from "#base";
import { openGateway } from "../support/gateway.ts";

/** A port that ends each connection after its first bytes, which it keeps. */
function openPort() {
  const greetings: string[] = [];
  const listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  const served = (async () => {
    for await (const connection of listener) {
      const bytes = new Uint8Array(4_096);
      const count = await connection.read(bytes).catch(() => 0) ?? 0;
      greetings.push(new TextDecoder("latin1").decode(bytes.subarray(0, count)));
      connection.close();
    }
  })();
  return {
    url: `https://127.0.0.1:${listener.addr.port}`,
    /** Removes and returns what connections began with. */
    take: () => greetings.splice(0),
    async [Symbol.asyncDispose]() {
      listener.close();
      await served;
    },
  };
}

/** Tells that a greeting of TLS offers HTTP/2. */
function offersHttp2(greeting: string): boolean {
  return greeting.startsWith("\x16") && greeting.includes("\x02h2");
}

Deno.test("servers, registries and APIs are offered HTTP/1.1 alone", async (t) => {
  await using port = openPort();
  await t.step("though fetch by itself offers HTTP/2", async () => {
    await assert.rejects(fetch(port.url));
    assert.ok(port.take().every(offersHttp2));
    await assert.rejects(http1Fetch(port.url));
    assert.deepEqual(port.take().map(offersHttp2), [false]);
  });
  const { url } = port;
  const ca = await Deno.makeTempFile();
  const rows: Record<string, readonly [config: Record<string, unknown>, call: string]> = {
    "a server": [{ servers: { far: { url } } }, "far.hi()"],
    "a server with tls": [{ servers: { far: { url, tls: { ca } } } }, "far.hi()"],
    "a registry": [
      { packs: { package: { registries: { npm: url } } } },
      'package.latest(registry="npm", packages=["x"])',
    ],
    "an API": [
      { packs: { llm: { base_url: url, api_key: "k", model: "m" } } },
      'llm.transform(input="a", prompt="b")',
    ],
    "a page": [{ packs: { web: { allow_private: ["127.0.0.1"] } } }, `web.fetch(url="${url}")`],
  };
  for (const [name, [config, command]] of Object.entries(rows)) {
    await t.step(name, async () => {
      await using gateway = await openGateway(config);
      const { error } = await (await gateway.post("/run", { command })).json();
      const greetings = port.take();
      assert.ok(greetings.length > 0, JSON.stringify(error));
      assert.ok(!greetings.some(offersHttp2));
    });
  }
  await Deno.remove(ca);
});
