import { deepEqual, equal, ok } from "node:assert/strict";
import type { Form } from "#sandbox";
import type { Attempt } from "./attempt.ts";
import { CALL_ATTEMPTS } from "./attempts_by_call.ts";
import { IMPORT_ATTEMPTS } from "./attempts_by_import.ts";
import { createHost, processesOf } from "./host.ts";

interface Ground extends AsyncDisposable {
  readonly secret: string;
  fill(program: Attempt["program"]): Attempt["program"];
  /** Throws when something was touched. */
  inspect(): Promise<void>;
}

/** Secret files, and a server that no program may reach. */
async function createGround(): Promise<Ground> {
  const folder = await Deno.makeTempDir();
  const secret = `canary-${crypto.randomUUID()}`;
  const path = `${folder}/secret`;
  const files: Record<string, string> = {
    ".txt": secret,
    ".json": JSON.stringify({ secret }),
    ".ts": `export default ${JSON.stringify(secret)}; export const secret = ${
      JSON.stringify(secret)
    };`,
    ".wasm": secret,
  };
  for (const [end, text] of Object.entries(files)) await Deno.writeTextFile(path + end, text);
  await Deno.symlink(`${path}.ts`, `${path}-link.ts`);
  let reached = 0;
  const other = Deno.serve({ port: 0, onListen() {} }, () => {
    reached++;
    return new Response(`export default ${JSON.stringify(secret)}`, {
      headers: { "content-type": "application/javascript" },
    });
  });
  const names = {
    CANARY: path,
    TARGET: `${folder}/target`,
    OTHER: `http://127.0.0.1:${other.addr.port}`,
    PARENT: String(Deno.pid),
  };
  const fillText = (text: string) =>
    Object.entries(names).reduce((filled, [name, value]) => filled.replaceAll(name, value), text);
  return {
    secret,
    fill: (program) =>
      typeof program === "string"
        ? fillText(program)
        : Object.fromEntries(Object.entries(program).map(([at, text]) => [at, fillText(text)])),
    async inspect() {
      equal(reached, 0, "the foreign server was reached");
      const names = [...Deno.readDirSync(folder)].map((file) => file.name).toSorted();
      const expected = ["secret-link.ts", ...Object.keys(files).map((end) => `secret${end}`)];
      deepEqual(names, expected.toSorted());
      equal(await Deno.readTextFile(`${path}.txt`), secret);
    },
    async [Symbol.asyncDispose]() {
      await other.shutdown();
      await Deno.remove(folder, { recursive: true });
    },
  };
}

Deno.test("every attempt to leave the sandbox is refused or without effect", async (t) => {
  await using ground = await createGround();
  Deno.env.set("TOOLSCRIPT_TEST_CANARY", ground.secret);
  await using host = createHost({ limits: { timeoutMs: 3000, outputBytes: 500_000 } });
  for (const { name, program, form, harmless, ends } of inEachForm()) {
    await t.step(`${name} (${form})`, async () => {
      const { outcome, stdout, stderr } = await host.run(ground.fill(program), { form });
      const text = JSON.stringify(outcome) + stdout + stderr;
      ok(!text.includes(ground.secret), "the secret came out");
      const refused = ends ? [ends] : ["thrown", "blocked"];
      if (!harmless) ok(refused.includes(outcome.kind), text.slice(0, 500));
      await ground.inspect();
    });
  }
  await t.step("and the next run is sound", async () => {
    deepEqual((await host.run("return [1]")).outcome, { kind: "value", value: [1] });
  });
});

function inEachForm(): (Attempt & { readonly form: Form })[] {
  return [...IMPORT_ATTEMPTS, ...CALL_ATTEMPTS].flatMap((attempt) => {
    const forms: Form[] = typeof attempt.program === "string" ? ["function", "module"] : ["module"];
    return forms.map((form) => ({ ...attempt, form }));
  });
}

Deno.test("nothing persists from one run to the next", async () => {
  await using host = createHost();
  const leave =
    "for (const s of ['localStorage', 'sessionStorage']) globalThis[s]?.setItem('left', '1');" +
    "await globalThis.caches?.open('left'); globalThis.left = 1; Object.prototype.left = 1; return 1";
  await host.run(leave);
  const look = "return [typeof localStorage, typeof caches, typeof left, typeof ({}).left]";
  const { outcome } = await host.run(look);
  deepEqual(outcome, { kind: "value", value: Array(4).fill("undefined") });
});

Deno.test("a refused import names its specifier", async (t) => {
  await using host = createHost();
  const refused = [
    "file:///etc/hosts",
    "npm:is-number@7.0.0",
    "jsr:@std/path",
    "https://example.com/x.js",
    "node:fs",
  ];
  for (const specifier of refused) {
    await t.step(specifier, async () => {
      const text = JSON.stringify(specifier);
      const blocked = { kind: "blocked", specifier };
      const modules = { "main.js": `import * as x from ${text};\nexport default () => x;` };
      deepEqual((await host.run(modules)).outcome, blocked);
      const dynamic = `return await import(${text})`;
      deepEqual((await host.run(dynamic, { form: "module" })).outcome, blocked);
    });
  }
});

Deno.test("a run's secret dies with it, and opens nothing of another run", async () => {
  await using host = createHost();
  await using lease = await host.sandbox.lease();
  const { secret } = await host.run("return 1");
  const answer = (of: string, path: string) => fetch(`${host.origin}/r/${of}/${path}`);
  equal((await answer(secret, "program/main.js")).status, 404);
  equal((await answer(lease.secret, "program/main.js")).status, 404);
  equal((await answer(lease.secret, "program/../../x")).status, 404);
  equal((await answer("x".repeat(32), "program/main.js")).status, 404);
});

Deno.test("a program that goes on after its value is ended", async () => {
  await using host = createHost({ pool: 0 });
  const { outcome, stdout } = await host.run(
    "setInterval(() => console.log('still here'), 1); setTimeout(() => { while (true); }, 20); return 1",
  );
  deepEqual(outcome, { kind: "value", value: 1 });
  ok(!stdout.includes("still here"));
  const deadline = performance.now() + 60_000;
  while ((await processesOf(host)).length > 0) ok(performance.now() < deadline, "it still runs");
});

Deno.test("messages after a forged end are ignored", async () => {
  await using host = createHost({ pool: 0 });
  let isOver = false;
  let late = 0;
  const onOutput = () => late += isOver ? 1 : 0;
  const { outcome } = await host.run(
    `const base = Deno.env.get("TOOLSCRIPT_GATEWAY_URL");
    setInterval(() => console.log("still here"), 1);
    await fetch(base + "/value", { method: "POST", body: "1" });
    await new Promise(() => {});`,
    { onOutput },
  );
  isOver = true;
  equal(outcome.kind, "value");
  while ((await processesOf(host)).length > 0) await new Promise((done) => setTimeout(done, 5));
  equal(late, 0);
});

Deno.test("the command line of a process holds no secret", async () => {
  await using host = createHost({ pool: 0 });
  await using lease = await host.sandbox.lease();
  const [pid = 0] = await processesOf(host);
  const line = await Deno.readTextFile(`/proc/${pid}/cmdline`);
  ok(!line.includes(lease.secret));
  ok(line.includes("--deny-read") && !line.includes("/r/"));
});

Deno.test("a terminal's Ctrl-C does not reach a program: its session is its own", async () => {
  await using host = createHost({ pool: 0 });
  await using _lease = await host.sandbox.lease();
  const [pid = 0] = await processesOf(host);
  const stat = await Deno.readTextFile(`/proc/${pid}/stat`);
  const [, , group, session] = stat.slice(stat.lastIndexOf(")") + 2).split(" ").map(Number);
  deepEqual([group, session], [pid, pid]);
});

Deno.test("processes and folders do not outlive a gateway that was killed", async () => {
  const gateway = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", new URL("doomed_host.ts", import.meta.url).pathname],
    stdin: "null",
    stdout: "piped",
  }).spawn();
  const reader = gateway.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const origin = (await reader.read()).value?.trim() ?? "";
  const running = await processesOf({ origin });
  equal(running.length, 1);
  gateway.kill("SIGKILL");
  await gateway.status;
  await reader.cancel();
  const deadline = performance.now() + 60_000;
  const stays = async () => (await processesOf({ origin })).length > 0;
  while (await stays()) ok(performance.now() < deadline, "a process outlived its gateway");
  await using _next = createHost({ pool: 0 });
  while (hasFolderOf(gateway.pid)) {
    ok(performance.now() < deadline, "a folder outlived its gateway");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
});

function hasFolderOf(pid: number): boolean {
  const names = ["/dev/shm", "/tmp"].flatMap((parent) => [...Deno.readDirSync(parent)]);
  return names.some((entry) => entry.name.startsWith(`toolscript-${pid}-`));
}

Deno.test("descriptors of the gateway are closed to programs", async () => {
  await using host = createHost({ pool: 0 });
  await using _lease = await host.sandbox.lease();
  const [pid = 0] = await processesOf(host);
  const own = new Set([...Deno.readDirSync("/proc/self/fd")].map((fd) => linkOf("self", fd.name)));
  for (const stdio of ["0", "1", "2"]) own.delete(linkOf(pid, stdio));
  for (const fd of Deno.readDirSync(`/proc/${pid}/fd`)) {
    if (Number(fd.name) <= 2) continue;
    const target = linkOf(pid, fd.name);
    if (target.startsWith("anon_inode:") || target.startsWith("/dev/")) continue;
    ok(!own.has(target), `descriptor ${fd.name} is the gateway's ${target}`);
  }
});

function linkOf(pid: number | string, fd: string): string {
  try {
    return Deno.readLinkSync(`/proc/${pid}/fd/${fd}`);
  } catch {
    // Closed meanwhile.
    return "";
  }
}
