/** OT-10, OT-11: the true state of every server. */

import assert from "node:assert/strict";
import { send } from "../support/commands.ts";
import { delay, openGateway, type TestGateway } from "../support/gateway.ts";
import { fixture } from "../support/servers.ts";

interface Proxy {
  readonly status: string;
  readonly servers: Readonly<Record<string, string>>;
}

/** What `ot.health` says of the servers, once one of them is in a state. */
async function proxyOnce(gateway: TestGateway, name: string, state: string): Promise<Proxy> {
  for (let tries = 0;; tries++) {
    const { value, text } = await send(gateway, "ot.health().proxy");
    const proxy = value as unknown as Proxy;
    if (proxy.servers[name] === state) return proxy;
    assert.ok(tries < 300, text);
    await delay(100);
  }
}

function server(mode: string, more: Record<string, unknown> = {}) {
  const { command, args } = fixture(mode);
  return { command, args, ...more };
}

Deno.test("OT-10 OT-11 idle and disabled are no failure", async () => {
  await using gateway = await openGateway({
    servers: {
      rests: server("good", { idle_timeout: 0.2 }),
      off: server("good", { enabled: false }),
    },
  });
  await gateway.ready();
  const { status, servers } = await proxyOnce(gateway, "rests", "idle");
  assert.equal(status, "ok");
  assert.deepEqual(servers, { rests: "idle", off: "disabled" });
  assert.ok((await send(gateway, "rests.pid()")).ok);
});

Deno.test("OT-11 a server that wants a sign-in, and one that is not there yet", async () => {
  await using unsigned = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    () => new Response("Sign in", { status: 401 }),
  );
  const { port } = unsigned.addr;
  await using gateway = await openGateway({
    servers: {
      locked: { url: `http://127.0.0.1:${port}/mcp`, headers: { authorization: "Bearer hunter2" } },
      slow: server("sleeps-on-probe"),
    },
  });
  const { status, servers } = await proxyOnce(gateway, "locked", "needs-auth");
  assert.equal(status, "degraded");
  assert.ok(["connecting", "connected"].includes(servers.slow ?? ""), servers.slow);
  const refused = await send(gateway, "locked.read()");
  assert.match(refused.text, /^Cannot use the server "locked": it wants a sign-in \(/);
  const { text } = await send(gateway, "[ot.health(), ot.config(), ot.packs(info='full')]");
  assert.ok(!text.includes("hunter2") && !text.includes(String(port)), text);
});
