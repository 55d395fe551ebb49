/** A server that tells without end keeps neither memory nor every turn of the gateway. */

import { deepEqual, equal, ok } from "node:assert/strict";
import { silent } from "#base";
import type { ServerLog } from "#packs";
import type { RunReply } from "#runtime";
import { createRunRoutes } from "../../gateway/run/run_routes.ts";
import { hostileCommand, stdioServer } from "../support/servers.ts";
import { startPack } from "../packs/mcp/harness.ts";

Deno.test("other work runs between the messages of a server", async (t) => {
  for (const what of ["batch", "lines"]) {
    await t.step(what, async () => {
      await using harness = await startPack(stdioServer({ name: "hostile", ...hostileCommand() }));
      let turns = 0;
      const timer = setInterval(() => turns++, 0);
      const seen = new Set<number>();
      const log = (_: ServerLog) => void seen.add(turns);
      const peer = { capabilities: {}, log, answer: () => Promise.resolve(undefined) };
      await harness.pack.call("call", { what, count: 5_000 }, { peer });
      clearInterval(timer);
      ok(seen.size > 10, `${seen.size} turns`);
    });
  }
});

Deno.test("progress is short, and bounded in number", async () => {
  await using harness = await startPack(stdioServer({ name: "hostile", ...hostileCommand() }));
  const lengths: number[] = [];
  const onProgress = ({ message = "" }) => void lengths.push(message.length);
  await harness.pack.call("call", { what: "progress", count: 5 }, { onProgress });
  equal(Math.max(...lengths), 500);
  lengths.length = 0;
  await harness.pack.call("call", { what: "steps", count: 12_000 }, { onProgress });
  equal(lengths.length, 10_000);
});

Deno.test("messages of a server are dropped for a client that does not read", async () => {
  const message = "x".repeat(1_000);
  const routes = createRunRoutes({
    runner: {
      run(_, { onEvent }) {
        for (let progress = 0; progress < 20_000; progress++) {
          onEvent?.({ type: "progress", progress, message });
          onEvent?.({ type: "log", level: "info", data: message, logger: "hostile" });
        }
        onEvent?.({ type: "stdout", data: "printed" });
        return Promise.resolve(REPLY);
      },
    },
    limits: () => ({ bodyBytes: 1_000 }),
    project: "/",
    askTimeoutMs: () => 1_000,
    log: silent,
    newId: () => "id",
  });
  const headers = { "content-type": "application/json", accept: "application/x-ndjson" };
  const body = JSON.stringify({ script: "1" });
  const response = await routes.run(
    new Request("http://127.0.0.1/run", { method: "POST", headers, body }),
  );
  const text = await response.text();
  ok(text.length < 1_100_000, `${text.length} characters`);
  const types = text.trim().split("\n").map((line) => JSON.parse(line).type);
  deepEqual(types.slice(-2), ["stdout", "result"]);
});

const REPLY: RunReply = {
  run: "r",
  ok: true,
  text: "",
  stdout: "",
  stderr: "",
  warnings: [],
  calls: 1,
  ms: 1,
  timing: { parse: 0, check: 0, hand_over: 0, execute: 0, serialise: 0 },
};
