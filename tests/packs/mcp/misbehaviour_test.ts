/** Servers that break the rules cost what they broke, and nothing else. */

import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import type { PackError } from "#packs";
import { fixture, stdioServer } from "../../support/servers.ts";
import { openPack, startPack } from "./harness.ts";

Deno.test("a malformed entry of a tool list costs that entry", async (t) => {
  for (const mode of ["malformed", "modern"]) {
    await t.step(mode, async () => {
      await using harness = await startPack(fixture(mode));
      const { pack } = harness;
      assert.equal(pack.info()?.protocol, mode === "modern" ? "2026-07-28" : "2025-11-25");
      assert.deepEqual(pack.tools().map(({ name }) => name), ["good", "odd", "last"]);
      assert.equal(pack.tools()[0]?.description, "The tool good");
      assert.deepEqual(pack.tools()[1], {
        name: "odd",
        description: "",
        inputSchema: { type: "object" },
      });
      assert.deepEqual(pack.problems().map(({ tool, reason }) => `${tool}: ${reason}`), [
        "null: it has no name",
        "null: it has no name",
        "good: its name is taken",
        "none: its input schema is missing",
        "null: its input schema is missing",
        "text: its input schema is not an object",
        "itself: its input schema is nothing but itself",
        "deep: its input schema is nested over 100 levels",
        "null: it is not an object",
        "null: it is not an object",
      ]);
      assert.deepEqual((await pack.call("odd", { a: 1 }, {})).value, { a: 1 });
    });
  }
});

Deno.test("tool lists of every length are read", async (t) => {
  const lengths: readonly [mode: string, tools: number, problem: RegExp | undefined][] = [
    ["pages", 10, undefined],
    ["many", 10_000, undefined],
    ["endless", 1, /no new tool/],
    ["circle", 1, /offered twice/],
    ["no-list", 0, /no list/],
    ["no-tools", 0, undefined],
  ];
  for (const [mode, tools, problem] of lengths) {
    await t.step(mode, async () => {
      await using harness = await startPack(fixture(mode));
      assert.equal(harness.pack.status().state, "connected");
      assert.equal(harness.pack.tools().length, tools);
      const last = harness.pack.problems().at(-1);
      if (problem) assert.match(last?.reason ?? "", problem);
      else assert.equal(last, undefined);
    });
  }
});

Deno.test("a server that falls over the newer handshake is reached by the older one", async (t) => {
  for (const mode of ["dies-on-probe", "sleeps-on-probe", "hangs-on-probe"]) {
    await t.step(mode, async () => {
      const deps = { probeTimeoutMs: 500, connectTimeoutMs: 12_000 };
      await using harness = await startPack(fixture(mode), deps);
      assert.deepEqual(harness.pack.status(), {
        state: "connected",
        transport: "stdio",
        error: null,
      });
      assert.equal(harness.pack.info()?.protocol, "2025-11-25");
      assert.deepEqual((await harness.pack.call("echo", { a: 1 }, {})).value, { a: 1 });
    });
  }
});

Deno.test("invalid lines on stdout are skipped and logged", async () => {
  await using harness = await startPack(fixture("rubbish"));
  assert.deepEqual((await harness.pack.call("echo", { a: 1 }, {})).value, { a: 1 });
  assert.ok(harness.logged.some((line) => line.includes("Welcome!")));
});

Deno.test("a line without end ends the server", async () => {
  const deps = { maxMessageBytes: 1_000_000, connectTimeoutMs: 3_000 };
  await using harness = await startPack(fixture("flood"), deps);
  assert.equal(harness.pack.status().state, "disconnected");
});

Deno.test("each error response of a server becomes the right error", async (t) => {
  await using harness = await startPack(fixture("good", { timeoutMs: 1_500 }));
  const { pack } = harness;
  const cases: readonly [tool: string, code: string, message: RegExp][] = [
    ["refuse", "tool_error", /^Cannot call "fixture\.refuse": .*Not today$/],
    ["invalid", "invalid_arguments", /Bad arguments$/],
    ["fail", "tool_error", /^Tool "fixture\.fail" failed: It broke$/],
    ["hang", "timeout", /no answer within 1\.5 s/],
  ];
  for (const [tool, code, message] of cases) {
    await t.step(tool, async () => {
      await assert.rejects(pack.call(tool, {}, {}), (error: PackError) => {
        assert.equal(error.code, code);
        assert.equal(error.tool, `fixture.${tool}`);
        assert.match(error.message, message);
        return true;
      });
    });
  }
  await t.step("the content of a failure is kept", async () => {
    await assert.rejects(pack.call("fail", {}, {}), {
      details: { content: [{ type: "text", text: "It broke" }] },
    });
  });
  await t.step("the server still serves", async () => {
    assert.deepEqual((await pack.call("echo", { b: [2] }, {})).value, { b: [2] });
  });
});

Deno.test("a cancelled call is cancelled in the server", async () => {
  const file = await Deno.makeTempFile();
  const config = fixture("good");
  await using harness = await startPack({ ...config, args: [...config.args, file] });
  const cancel = new AbortController();
  const call = harness.pack.call("hang", {}, { signal: cancel.signal });
  setTimeout(() => cancel.abort(), 50);
  await assert.rejects(call, { code: "cancelled" });
  await harness.pack.call("echo", {}, {});
  const params = JSON.parse(await Deno.readTextFile(file));
  assert.equal(typeof params.requestId, "number");
  await Deno.remove(file);
});

Deno.test("a server that cannot be started is given up at once", async (t) => {
  const cases: readonly [command: string, cwd: string, error: string][] = [
    ["toolscript-no-such-command", "/", "command not found"],
    [Deno.execPath(), "/no/such/folder", "working directory not found"],
    [fileURLToPath(import.meta.url), "/", "command cannot be executed"],
  ];
  for (const [command, cwd, error] of cases) {
    await t.step(error, async () => {
      await using harness = await openPack(stdioServer({ name: "gone", command, cwd }));
      await harness.pack.settle();
      assert.deepEqual(harness.pack.status(), { state: "disconnected", transport: "stdio", error });
      await assert.rejects(harness.pack.call("x", {}, {}), {
        code: "unavailable",
        retryable: false,
        details: { reason: error },
      });
    });
  }
});

Deno.test("a server that ends at once is tried a few times, then again by a call", async () => {
  await using harness = await openPack(fixture("dies"));
  harness.pack.start();
  assert.equal(harness.pack.status().state, "connecting");
  await harness.pack.settle();
  assert.deepEqual(harness.pack.status().state, "disconnected");
  assert.equal(harness.pack.status().error, "connection closed");
  await assert.rejects(harness.pack.call("echo", {}, {}), { code: "unavailable", retryable: true });
});

Deno.test("a disabled server is not started", async () => {
  await using harness = await openPack(fixture("good", { enabled: false }));
  harness.pack.start();
  await harness.pack.settle();
  assert.equal(harness.pack.status().state, "disabled");
  await assert.rejects(harness.pack.call("echo", {}, {}), { code: "unavailable" });
});
