/** A server that sends requests without end, and reads no reply, fills no memory of the gateway. */

import { deepEqual, equal, match, ok, rejects } from "node:assert/strict";
import type { Peer } from "#packs";
import { startPack } from "../packs/mcp/harness.ts";
import { newClient, overHttp } from "../gateway/mcp/clients.ts";
import { openGateway } from "../support/gateway.ts";
import { hostileCommand, stdioServer } from "../support/servers.ts";

/** Peer whose person never answers. */
function silentPeer() {
  const open = new Set<AbortSignal>();
  let most = 0;
  const peer: Peer = {
    capabilities: { elicitation: { form: {} } },
    answer(_, signal) {
      open.add(signal);
      most = Math.max(most, open.size);
      return new Promise((resolve) => {
        signal.addEventListener("abort", () => {
          open.delete(signal);
          resolve(undefined);
        });
      });
    },
  };
  return { peer, most: () => most };
}

Deno.test("a server that takes no replies to its requests is ended", async (t) => {
  const floods = {
    "pings": 100_000,
    "pings with long ids": 900,
    "unknown requests": 100_000,
    "questions": 10_000,
  };
  for (const [what, count] of Object.entries(floods)) {
    await t.step(what, async () => {
      await using harness = await startPack(stdioServer({ name: "hostile", ...hostileCommand() }));
      const { peer, most } = silentPeer();
      const call = harness.pack.call("call", { what, count }, {
        peer,
        signal: AbortSignal.timeout(60_000),
      });
      await rejects(call, { name: "PackError", code: "unavailable" });
      ok(most() <= 1_000, `${most()} questions`);
      ok(harness.logged.some((line) => line.includes("requests without a reply")));
    });
  }
});

Deno.test("a server that uses the id of an open request again is ended", async () => {
  await using harness = await startPack(stdioServer({ name: "hostile", ...hostileCommand() }));
  const { peer, most } = silentPeer();
  const args = { what: "questions of one id", count: 2 };
  const call = harness.pack.call("call", args, { peer, signal: AbortSignal.timeout(60_000) });
  await rejects(call, { name: "PackError", code: "unavailable" });
  ok(most() <= 1, `${most()} questions`);
  ok(harness.logged.some((line) => line.includes("id of an open request again")));
});

Deno.test("a server may withdraw any number of requests", async (t) => {
  for (const what of ["cancelled questions", "cancelled questions of one id"]) {
    await t.step(what, async () => {
      await using harness = await startPack(stdioServer({ name: "hostile", ...hostileCommand() }));
      const { peer } = silentPeer();
      const { value } = await harness.pack.call("call", { what, count: 4_000 }, { peer });
      equal(value, "done");
    });
  }
});

Deno.test("a server that reads nothing does not keep the arguments of given up calls", async () => {
  const config = stdioServer({ name: "hostile", ...hostileCommand() });
  await using harness = await startPack(config, { maxMessageBytes: 1_000_000 });
  const text = "x".repeat(900_000);
  const codes: string[] = [];
  for (let calls = 0; calls < 8 && !codes.includes("unavailable"); calls++) {
    const giveUp = new AbortController();
    const args = { what: "deaf", text };
    const call = harness.pack.call("call", args, { signal: giveUp.signal });
    setTimeout(() => giveUp.abort(), 100);
    codes.push(await call.then(() => "done", ({ code }) => String(code)));
  }
  deepEqual(codes.at(-1), "unavailable");
});

Deno.test("a server offered directly logs and asks within bounds", async (t) => {
  const config = { servers: { hostile: hostileCommand() }, direct: ["hostile"] };
  await using gateway = await openGateway(config);
  await gateway.ready();
  for (const what of ["lines", "batch"]) {
    await t.step(what, async () => {
      const client = newClient("legacy");
      const logs: unknown[] = [];
      client.setNotificationHandler("notifications/message", ({ params }) => {
        logs.push(params.data);
      });
      await using _connection = await overHttp(gateway, client);
      await client.callTool({ name: "call", arguments: { what, count: 3_000 } });
      equal(logs.length, 1_001);
      match(String(logs.at(-1)), /left out/);
    });
  }
  await t.step("questions", async () => {
    const client = newClient("legacy", { capabilities: { elicitation: { form: {} } } });
    const messages = new Set<string>();
    let questions = 0;
    client.setRequestHandler("elicitation/create", ({ params }) => {
      questions++;
      messages.add(params.message);
      return { action: "decline" };
    });
    await using _connection = await overHttp(gateway, client);
    const args = { what: "patient questions", count: 300 };
    await client.callTool({ name: "call", arguments: args });
    equal(questions, 100);
    deepEqual([...messages], ['The server "hostile" asks:\n> Again?']);
  });
});
