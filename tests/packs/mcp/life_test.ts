/** How a server's process comes and goes: crashes, idle times, caches, the end of the gateway. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { everything, fixture } from "../../support/servers.ts";
import { isAlive, isGone, openPack, startPack } from "./harness.ts";

Deno.test("a crash fails the call, then the server is started again", async () => {
  await using harness = await startPack(fixture("good"));
  const { pack } = harness;
  const first = (await pack.call("pid", {}, {})).value;
  const hanging = pack.call("hang", {}, {});
  const failed = assert.rejects(hanging, { code: "unavailable", retryable: true });
  await assert.rejects(pack.call("crash", {}, {}), {
    code: "unavailable",
    retryable: true,
    details: { reason: "connection closed" },
  });
  await failed;
  assert.equal(pack.tools().length > 0, true);
  assert.ok(harness.logged.some((line) => line.includes("about to crash")));
  await harness.until(() => pack.status().state === "connected");
  assert.notEqual((await pack.call("pid", {}, {})).value, first);
});

Deno.test("a call after a crash waits for the new process", async () => {
  await using harness = await startPack(fixture("good"));
  await harness.pack.call("crash", {}, {}).catch(() => {});
  assert.deepEqual((await harness.pack.call("echo", { a: 1 }, {})).value, { a: 1 });
});

Deno.test("an idle server is ended, keeps its tools, and starts again at a call", async () => {
  await using harness = await startPack(fixture("good", { idleTimeoutMs: 200 }));
  const { pack } = harness;
  const pid = Number((await pack.call("pid", {}, {})).value);
  await harness.until(() => pack.status().state === "idle");
  assert.ok(await isGone(pid));
  assert.ok(pack.tools().length > 0);
  const calls = await Promise.all([1, 2, 3].map(() => pack.call("pid", {}, {})));
  const pids = new Set(calls.map(({ value }) => value));
  assert.equal(pids.size, 1);
  assert.ok(!pids.has(String(pid)));
});

Deno.test("keepAlive keeps an idle server", async () => {
  await using harness = await startPack(fixture("good", { idleTimeoutMs: 50, keepAlive: true }));
  await new Promise((resolve) => setTimeout(resolve, 400));
  assert.equal(harness.pack.status().state, "connected");
});

Deno.test("list_changed causes the list to be read again", async () => {
  await using harness = await startPack(fixture("good"));
  const { pack } = harness;
  assert.ok(!pack.tools().some(({ name }) => name === "late"));
  await pack.call("grow", {}, {});
  await harness.until(() => pack.tools().some(({ name }) => name === "late"));
});

Deno.test("listeners are told of tools as soon as a run can see them", async () => {
  await using harness = await openPack(fixture("changes-while-listed"));
  const { pack } = harness;
  let reported = 0;
  pack.onChange(() => reported = pack.tools().length);
  pack.start();
  while (pack.tools().length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  assert.ok(!pack.tools().some(({ name }) => name === "late"), "the second list is not there yet");
  assert.equal(reported, pack.tools().length);
});

Deno.test("the tool list is cached on disk, for this configuration and this user only", async () => {
  const config = fixture("good", { env: { SECRET: "swordfish" } });
  const cacheDir = await Deno.makeTempDir();
  {
    await using harness = await startPack(config, { cacheDir });
    assert.equal(harness.pack.status().state, "connected");
  }
  const entries = [...Deno.readDirSync(join(cacheDir, "tools"))];
  for (const { name } of entries) {
    const path = join(cacheDir, "tools", name);
    assert.equal((Deno.statSync(path).mode ?? 0) & 0o777, 0o600);
    assert.ok(!Deno.readTextFileSync(path).includes("swordfish"));
  }
  const [entry, ...others] = entries.filter(({ name }) => !name.endsWith(".purpose"));
  assert.equal(others.length, 0);
  assert.match(entry?.name ?? "", /^[0-9a-f]{64}\.json$/);
  const path = join(cacheDir, "tools", entry?.name ?? "");
  {
    await using harness = await openPack({ ...config, include: ["e*"] }, { cacheDir });
    assert.equal(harness.pack.status().state, "connecting");
    assert.deepEqual(harness.pack.tools().map(({ name }) => name), ["echo", "env"]);
    assert.equal(harness.pack.instructions(), "Be careful");
  }
  {
    await using harness = await openPack({ ...config, env: { SECRET: "other" } }, { cacheDir });
    assert.deepEqual(harness.pack.tools(), []);
  }
  Deno.writeTextFileSync(path, "{ damaged");
  {
    await using harness = await openPack(config, { cacheDir });
    assert.deepEqual(harness.pack.tools(), []);
  }
  await Deno.remove(cacheDir, { recursive: true });
});

Deno.test("a lazy pack starts its server at the first call, once its list is cached", async () => {
  const cacheDir = await Deno.makeTempDir();
  const deps = { cacheDir, lazy: true };
  {
    await using harness = await startPack(fixture("good"), deps);
    assert.equal(harness.pack.status().state, "connected");
  }
  {
    await using harness = await startPack(fixture("good"), deps);
    await harness.pack.settle();
    assert.equal(harness.pack.status().state, "idle");
    assert.ok(harness.pack.tools().length > 0);
    assert.deepEqual((await harness.pack.call("echo", {}, {})).value, {});
    assert.equal(harness.pack.status().state, "connected");
  }
  {
    const now = () => Date.now() + 25 * 60 * 60 * 1000;
    await using harness = await startPack(fixture("good"), { ...deps, now });
    assert.equal(harness.pack.status().state, "connected");
  }
  await Deno.remove(cacheDir, { recursive: true });
});

Deno.test("a child gets the config's environment and what it needs to start", async () => {
  const environment: Record<string, string> = {
    ...Deno.env.toObject(),
    GATEWAY_SECRET: "x",
    LC_ALL: "C",
    PATH: "/usr/local/bin:/usr/bin:/bin",
  };
  const config = fixture("good", { env: { MINE: "yes" } });
  await using harness = await startPack(config, { environment });
  const env = (await harness.pack.call("env", {}, {})).value as Record<string, string>;
  assert.equal(env.MINE, "yes");
  assert.equal(env.LC_ALL, "C");
  assert.equal(env.PATH, environment.PATH);
  assert.equal(env.GATEWAY_SECRET, undefined);
});

Deno.test("a failed server keeps its state until its next start", async () => {
  const config = { ...fixture("good"), command: "no-such-command-here" };
  await using harness = await openPack(config);
  const { pack } = harness;
  for (let starts = 0; starts < 3; starts++) {
    await pack.settle();
    await Promise.resolve(); // a start without a wait would have begun by now
    assert.deepEqual(pack.status(), {
      state: "disconnected",
      error: "command not found",
      transport: "stdio",
    });
  }
});

Deno.test("disposing a pack ends the server and everything it started", async (t) => {
  for (const mode of ["good", "stays"]) {
    await t.step(mode, async () => {
      const harness = await startPack(fixture(mode));
      const pid = Number((await harness.pack.call("pid", {}, {})).value);
      const child = Number((await harness.pack.call("child", {}, {})).value);
      assert.ok(await isAlive(pid) && await isAlive(child));
      await harness[Symbol.asyncDispose]();
      assert.ok(await isGone(pid));
      assert.ok(await isGone(child));
    });
  }
});

Deno.test("a pack that is disposed while it connects leaves nothing behind", async () => {
  const harness = await openPack(everything());
  harness.pack.start();
  await new Promise((resolve) => setTimeout(resolve, 100));
  await harness[Symbol.asyncDispose]();
  assert.equal(harness.pack.status().state, "disconnected");
});

Deno.test("servers and their children are gone after a SIGKILL of the gateway", async () => {
  const script = fileURLToPath(new URL("../../fixtures/mcp/gateway.ts", import.meta.url));
  const config = fileURLToPath(new URL("../../../deno.json", import.meta.url));
  const gateway = new Deno.Command(Deno.execPath(), {
    args: ["run", "--allow-all", "--quiet", "--no-check", `--config=${config}`, script],
    stdout: "piped",
  }).spawn();
  const reader = gateway.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let printed = "";
  while (!printed.includes("\n")) printed += (await reader.read()).value ?? "";
  const pids: number[] = JSON.parse(printed);
  assert.equal(pids.length, 4);
  for (const pid of pids) assert.ok(await isAlive(pid), `process ${pid} lives`);
  gateway.kill("SIGKILL");
  await gateway.status;
  await reader.cancel();
  for (const pid of pids) assert.ok(await isGone(pid), `process ${pid} is gone`);
});
