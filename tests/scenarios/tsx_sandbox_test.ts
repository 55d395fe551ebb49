/** TSX: the sandbox and the execution context, through `POST /run`. */

import assert from "node:assert/strict";
import { openGateway } from "../support/gateway.ts";

Deno.test("TSX-01 to TSX-04 a run has a process of its own, and nothing but the gateway", async (t) => {
  await using gateway = await openGateway();

  await t.step("TSX-01 isolated execution", async () => {
    const base = "Deno.env.get('TOOLSCRIPT_GATEWAY_URL')";
    const first = await gateway.run(`(globalThis as any).left = 1; ${base}`);
    const second = await gateway.run(`({ base: ${base}, left: (globalThis as any).left ?? null })`);
    const seen = second.value as { base: string; left: unknown };
    assert.notEqual(seen.base, first.value);
    assert.equal(seen.left, null, "something of the first run was there in the second");
    const own = await gateway.run("(Deno as any).pid === " + Deno.pid);
    assert.equal(own.value, false);
  });

  await t.step("TSX-02 network restrictions", async () => {
    let reached = false;
    const other = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, () => {
      reached = true;
      return new Response("secret");
    });
    const own = await gateway.run(
      "const url = new URL(Deno.env.get('TOOLSCRIPT_GATEWAY_URL')!);\n" +
        "const response = await fetch(url.origin + '/health');\n(await response.json()).status",
    );
    assert.equal(own.value, "ok");
    const foreign = await gateway.run(
      `const response = await fetch("http://127.0.0.1:${other.addr.port}/");\nawait response.text()`,
    );
    assert.equal(foreign.ok, false);
    assert.match(foreign.error?.message ?? "", /net access/i);
    const socket = await gateway.run(
      `await Deno.connect({ hostname: "127.0.0.1", port: ${other.addr.port} });`,
    );
    assert.equal(socket.ok, false);
    await other.shutdown();
    assert.equal(reached, false);
  });

  await t.step("TSX-03 filesystem restrictions", async () => {
    const file = await Deno.makeTempFile();
    await Deno.writeTextFile(file, "the canary");
    const attempts = [
      `await Deno.readTextFile(${JSON.stringify(file)})`,
      `Deno.readTextFileSync(${JSON.stringify(file)})`,
      `await Deno.writeTextFile(${JSON.stringify(file)}, "gone")`,
      `await Deno.remove(${JSON.stringify(file)})`,
      `[...Deno.readDirSync("/")].length`,
      `Deno.makeTempDirSync()`,
    ];
    for (const attempt of attempts) {
      const reply = await gateway.run(attempt);
      assert.equal(reply.ok, false, attempt);
      assert.doesNotMatch(JSON.stringify(reply), /the canary/);
    }
    assert.equal(await Deno.readTextFile(file), "the canary");
    await Deno.remove(file);
  });

  await t.step("TSX-04 environment variable restrictions", async () => {
    const url = await gateway.run("Deno.env.get('TOOLSCRIPT_GATEWAY_URL')");
    assert.match(String(url.value), /^http:\/\/127\.0\.0\.1:\d+\/r\//);
    for (const name of ["PATH", "HOME", "TOOLSCRIPT_TOKEN"]) {
      const reply = await gateway.run(
        `let seen: unknown; try { seen = Deno.env.get("${name}") } catch { seen = "refused" }\nseen ?? null`,
      );
      assert.ok([null, "refused"].includes(reply.value as null | string), `${name} was seen`);
    }
  });
});

Deno.test("TSX-33 to TSX-35 a program knows where it was started, and no more", async (t) => {
  await using gateway = await openGateway();

  await t.step("TSX-33 gateway URL access", async () => {
    const reply = await gateway.run(
      "const base = Deno.env.get('TOOLSCRIPT_GATEWAY_URL');\n" +
        "const module = await fetch(`${base}/runtime/tools.ts`);\n" +
        "({ status: module.status, url: base })",
    );
    const { status, url } = reply.value as { status: number; url: string };
    assert.equal(status, 200);
    assert.ok(url.startsWith(`${gateway.url}/r/`));
  });

  await t.step("TSX-34 working directory", async () => {
    const reply = await gateway.run("[Deno.cwd(), process.cwd()]", { cwd: "/home/ana/site" });
    assert.deepEqual(reply.value, ["/home/ana/site", "/home/ana/site"]);
  });

  await t.step("TSX-35 no metadata injection", async () => {
    const reply = await gateway.run(
      "({ args: Deno.args, own: Object.keys(globalThis).filter((name) => /toolscript|onetool|gateway/i.test(name)) })",
    );
    assert.deepEqual(reply.value, { args: [], own: [] });
    const version = await gateway.run("Object.keys((await import('toolscript')))");
    assert.deepEqual((version.value as string[]).sort(), [
      "ToolError",
      "inTurn",
      "proj",
      "snippets",
      "together",
      "tools",
    ]);
  });
});

Deno.test("TSX-10 to TSX-15 every run has an import map of its own", async (t) => {
  await using gateway = await openGateway();
  const resolve = "import.meta.resolve('toolscript')";

  await t.step("TSX-10 the map leads toolscript to the gateway", async () => {
    const reply = await gateway.run(
      `[${resolve}, Deno.env.get('TOOLSCRIPT_GATEWAY_URL')]`,
    );
    const [module, base] = reply.value as string[];
    assert.ok(module?.startsWith(`${base}/runtime/tools.ts?_t=`), module);
  });

  await t.step("TSX-11 the address carries a cache-busting parameter", async () => {
    const reply = await gateway.run(resolve);
    assert.match(String(reply.value), /\/runtime\/tools\.ts\?_t=[^&]+/);
  });

  await t.step("TSX-12 which holds a timestamp", async () => {
    const stamp = /_t=(\d{13})/.exec(String((await gateway.run(resolve)).value))?.[1];
    assert.ok(stamp && Math.abs(Number(stamp) - Date.now()) < 600_000, stamp);
  });

  await t.step("TSX-13 and is never the same twice", async () => {
    const seen = new Set<unknown>();
    for (let i = 0; i < 5; i++) seen.add((await gateway.run(resolve)).value);
    assert.equal(seen.size, 5);
  });

  await t.step({
    name: "TSX-14, TSX-15 it is a temporary file, given to Deno by --import-map",
    ignore: Deno.build.os !== "linux",
    fn: async () => {
      const script = "console.log(Deno.env.get('TOOLSCRIPT_GATEWAY_URL'));\n" +
        "await new Promise((resolve) => setTimeout(resolve, 30_000));";
      let file = "";
      for await (const event of gateway.stream(script)) {
        if (event.type !== "stdout") continue;
        const base = String(event.data).trim();
        const command = await commandLineOf(base);
        file = command.map((word) => /^--import-map=(.*)$/.exec(word)?.[1]).find(Boolean) ?? "";
        const map = JSON.parse(await Deno.readTextFile(file));
        assert.ok(map.imports.toolscript.startsWith(`${base}/runtime/tools.ts?_t=`));
        break; // The client goes away, which cancels the run.
      }
      assert.notEqual(file, "");
      await assertGone(file);
    },
  });
});

/** The command line of the process whose environment holds this gateway URL. */
async function commandLineOf(base: string): Promise<string[]> {
  for await (const { name } of Deno.readDir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const environment = await Deno.readTextFile(`/proc/${name}/environ`).catch(() => "");
    if (!environment.split("\0").includes(`TOOLSCRIPT_GATEWAY_URL=${base}`)) continue;
    return (await Deno.readTextFile(`/proc/${name}/cmdline`)).split("\0");
  }
  throw new Error("no process has this gateway URL");
}

async function assertGone(file: string): Promise<void> {
  for (let i = 0; i < 600; i++) {
    const there = await Deno.stat(file).then(() => true, () => false);
    if (!there) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.fail("the import map is still there");
}
