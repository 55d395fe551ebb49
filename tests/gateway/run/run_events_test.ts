import assert from "node:assert/strict";
import { openGateway, type StreamEvent } from "../../support/gateway.ts";

const HEADING = 'import { tools } from "toolscript"; ';

async function eventsOf(stream: AsyncIterable<StreamEvent>): Promise<StreamEvent[]> {
  return await Array.fromAsync(stream);
}

Deno.test("POST /run names tools in its events as `pack.tool`", async () => {
  await using gateway = await openGateway();
  const events = await eventsOf(gateway.stream(`${HEADING}await tools.ot.packs({})`));
  const calls = events.filter(({ type }) => type === "call");
  assert.deepEqual(calls, [{ type: "call", tool: "ot.packs", id: "c1" }]);
});

Deno.test("POST /run sends a warning once as an event, and in its reply", async () => {
  await using gateway = await openGateway({ security: { warned: ["ot.packs"] } });
  const names = "const name = 'packs'; await tools.ot[name as 'packs']({})";
  const lines = await eventsOf(gateway.stream(`${HEADING}await tools.ot.packs({})`));
  const computed = await eventsOf(gateway.stream(HEADING + names));
  for (const events of [lines, computed]) {
    const [first] = events;
    const result = events.at(-1);
    assert.equal(first?.type, "started");
    assert.equal(result?.type, "result");
    const logs = events.filter(({ type }) => type === "log");
    assert.deepEqual(
      logs.map(({ level, data }) => [level, data]),
      (result?.warnings as string[]).map((warning) => ["warning", warning]),
    );
    assert.equal(logs.length, 1);
    assert.match(String(logs[0]?.data), /ot\.packs/);
  }
});

Deno.test("POST /run responds to a refused stream with an error status", async () => {
  await using gateway = await openGateway({
    security: { warned: ["ot.packs"], ask: ["ot.version"] },
  });
  const script = `${HEADING}await tools.ot.packs({}); await tools.ot.version({})`;
  const accept = { accept: "application/x-ndjson" };
  const response = await gateway.post("/run", { script, ask: false }, accept);
  assert.equal(response.status, 409);
  await response.body?.cancel();
});
