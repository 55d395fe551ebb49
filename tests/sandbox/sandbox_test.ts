import { deepEqual, equal, ok, rejects } from "node:assert/strict";
import { createHost, type Host, processesOf } from "./host.ts";

Deno.test("TSX-01 a program runs in a process of its own, once", async () => {
  await using host = createHost();
  const first = await host.run("globalThis.left = 1; return typeof left");
  const second = await host.run("return typeof left");
  deepEqual(first.outcome, { kind: "value", value: "number" });
  deepEqual(second.outcome, { kind: "value", value: "undefined" });
  equal(host.sandbox.visit(first.secret), undefined);
  await using lease = await host.sandbox.lease();
  await host.run("return 1", { lease });
  await rejects(host.run("return 1", { lease }), TypeError);
});

Deno.test("TSX-02 a program reaches its gateway and no other address", async () => {
  await using host = createHost();
  await using other = Deno.serve({ port: 0, onListen() {} }, () => new Response("reached"));
  const reach = (url: string) =>
    host.run(`return await (await fetch(${JSON.stringify(url)})).text()`);
  const own = await reach(`${host.origin}/anything`);
  deepEqual(own.outcome, { kind: "value", value: "No" });
  const foreign = await reach(`http://127.0.0.1:${other.addr.port}/`);
  equal(foreign.outcome.kind === "thrown" && foreign.outcome.name, "NotCapable");
  const message = foreign.outcome.kind === "thrown" ? foreign.outcome.message : "";
  equal(message.split(", ")[1], "which no program has: call a tool that does it");
});

Deno.test("TSX-02 a program has no raw connection, not even to its gateway", async () => {
  await using host = createHost();
  const { hostname, port } = new URL(host.origin);
  const at = JSON.stringify({ hostname, port: Number(port) });
  for (
    const call of [`connect(${at})`, `connectTls(${at})`, "startTls({})", "resolveDns('x', 'A')"]
  ) {
    const { outcome } = await host.run(`return await Deno.${call}`);
    equal(outcome.kind === "thrown" && outcome.name, "NotCapable", call);
  }
});

Deno.test("TSX-03 a program neither reads nor writes files", async () => {
  await using host = createHost();
  const folder = await Deno.makeTempDir();
  const file = JSON.stringify(`${folder}/canary`);
  await Deno.writeTextFile(`${folder}/canary`, "canary");
  for (const call of [`readTextFile(${file})`, `writeTextFile(${file}, "x")`, `remove(${file})`]) {
    const { outcome } = await host.run(`return await Deno.${call}`);
    equal(outcome.kind === "thrown" && outcome.name, "NotCapable", call);
  }
  equal(await Deno.readTextFile(`${folder}/canary`), "canary");
  await Deno.remove(folder, { recursive: true });
});

Deno.test("TSX-04 a program has one environment variable", async () => {
  await using host = createHost();
  const { outcome, secret } = await host.run(
    "return [Deno.env.toObject(), process.env, Deno.env.get('PATH') ?? null, Deno.env.has('HOME')]",
  );
  const env = { TOOLSCRIPT_GATEWAY_URL: `${host.origin}/r/${secret}` };
  deepEqual(outcome, { kind: "value", value: [env, env, null, false] });
});

Deno.test("TSX-08 a program awaits at its top level", async () => {
  await using host = createHost();
  const { outcome } = await host.run({
    "main.js": "import { later } from './later.js'; export default async () => later;",
    "later.js": "export const later = await new Promise((done) => setTimeout(() => done(5), 5));",
  });
  deepEqual(outcome, { kind: "value", value: 5 });
});

Deno.test("TSX-10 TSX-11 TSX-12 TSX-13 TSX-14 TSX-15 each process has an import map of its own", async () => {
  await using host = createHost({ pool: 0 });
  await using lease = await host.sandbox.lease();
  const file = await importMapOf(host);
  const map = JSON.parse(await Deno.readTextFile(file));
  const address = new URL(map.imports.toolscript);
  equal(address.href.split("?")[0], `${host.origin}/r/${lease.secret}/runtime/tools.ts`);
  const [stamp, run] = address.searchParams.get("_t")?.split("-") ?? [];
  ok(Math.abs(Number(stamp) - Date.now()) < 60_000);
  equal(run, lease.secret.slice(0, 8).split("-")[0]);
  equal(map.imports["file:///"], null);
  equal(map.imports["node:fs"], null);
  const program = "return (await import('toolscript')).tools.test.echo(1)";
  const { outcome } = await host.run(program, { lease, form: "module" });
  deepEqual(outcome, { kind: "value", value: 1 });
  ok(host.requests.includes(`GET ${address.pathname}${address.search}`));
  await lease[Symbol.asyncDispose]();
  await host.sandbox[Symbol.asyncDispose]();
  await rejects(Deno.stat(file), Deno.errors.NotFound);
});

/** The file that the host's only process got as its import map. */
async function importMapOf(host: Host): Promise<string> {
  const [pid = 0] = await processesOf(host);
  const line = await Deno.readTextFile(`/proc/${pid}/cmdline`);
  return /\0--import-map=([^\0]+)\0/.exec(line)?.[1] ?? "";
}

Deno.test("TSX-16 the preloaded module answers to its bare name", async () => {
  await using host = createHost();
  const program =
    "import { tools } from 'toolscript'; export default () => tools.test.echo({ a: 1 });";
  const { outcome } = await host.run({ "main.js": program });
  deepEqual(outcome, { kind: "value", value: { a: 1 } });
});

Deno.test("TSX-33 the gateway's address carries the run's secret", async () => {
  await using host = createHost();
  const { outcome, secret } = await host.run("return Deno.env.get('TOOLSCRIPT_GATEWAY_URL')");
  deepEqual(outcome, { kind: "value", value: `${host.origin}/r/${secret}` });
  ok(secret.length >= 22);
});

Deno.test("TSX-34 the working directory is the caller's", async () => {
  await using host = createHost();
  const { outcome } = await host.run("return [Deno.cwd(), process.cwd()]", {
    cwd: "/home/ana/site",
  });
  deepEqual(outcome, { kind: "value", value: ["/home/ana/site", "/home/ana/site"] });
});

Deno.test("TSX-35 nothing else about the host is visible", async () => {
  await using host = createHost();
  const { outcome } = await host.run(
    "const at = (f) => { try { return String(f()); } catch (e) { return e.name; } };" +
      "return [at(() => Deno.hostname()), at(() => Deno.osRelease()), at(() => Deno.pid)," +
      "at(() => Deno.ppid), at(() => Deno.execPath()), at(() => Deno.mainModule)," +
      "at(() => process.pid), at(() => navigator.hardwareConcurrency)]",
  );
  const nothing = "undefined";
  deepEqual(outcome, {
    kind: "value",
    value: ["NotCapable", "NotCapable", nothing, nothing, "deno", nothing, nothing, nothing],
  });
});

Deno.test("process has what scripts commonly use of it", async () => {
  await using host = createHost();
  const { outcome } = await host.run(
    "const order = []; process.nextTick((n) => order.push(n), 2); order.push(1); await null;" +
      "const then = process.hrtime(); const [s, ns] = process.hrtime(then);" +
      "return [order, s, ns >= 0 && ns < 1e9, typeof process.hrtime.bigint()]",
  );
  deepEqual(outcome, { kind: "value", value: [[1, 2], 0, true, "bigint"] });
});

Deno.test("Deno.args are the caller's", async () => {
  await using host = createHost();
  const { outcome } = await host.run("return Deno.args", { args: ["a", "b c"] });
  deepEqual(outcome, { kind: "value", value: ["a", "b c"] });
});

Deno.test("stdin is asked for when first touched, in each way of reading", async (t) => {
  await using host = createHost();
  const text = "line one\nline two é\n";
  const reads = {
    readable: "return await new Response(Deno.stdin.readable).text()",
    read:
      "const all = []; const b = new Uint8Array(4); let n; while ((n = await Deno.stdin.read(b)) !== null) all.push(...b.subarray(0, n)); return new TextDecoder().decode(new Uint8Array(all))",
    readSync:
      "const all = []; const b = new Uint8Array(4); let n; while ((n = Deno.stdin.readSync(b)) !== null) all.push(...b.subarray(0, n)); return new TextDecoder().decode(new Uint8Array(all))",
  };
  for (const [name, program] of Object.entries(reads)) {
    await t.step(name, async () => {
      const stdin = () => Promise.resolve(new TextEncoder().encode(text));
      deepEqual((await host.run(program, { stdin })).outcome, { kind: "value", value: text });
      deepEqual((await host.run(program)).outcome, { kind: "value", value: "" });
    });
  }
  await t.step("never touched, never asked", async () => {
    const stdin = () => Promise.reject(new Error("asked"));
    deepEqual((await host.run("return 1", { stdin })).outcome, { kind: "value", value: 1 });
  });
  await t.step("not to be had", async () => {
    const stdin = () => Promise.reject(new Error("gone"));
    equal((await host.run(reads.read, { stdin })).outcome.kind, "crashed");
  });
  await t.step("too much", async () => {
    const stdin = () => Promise.resolve(new Uint8Array(1_000_001));
    const { outcome } = await host.run(reads.readSync, { stdin });
    deepEqual(outcome, { kind: "too_large", bytes: 1_000_000 });
  });
});
