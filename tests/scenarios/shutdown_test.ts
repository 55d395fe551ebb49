/** How a gateway ends: orderly, with its runs; and by force, with its children. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { dump } from "js-yaml";
import { attempt } from "#base";
import { cliCommand } from "../support/cli.ts";
import { delay, events } from "../support/gateway.ts";
import { fixture } from "../support/servers.ts";

interface Running extends AsyncDisposable {
  readonly child: Deno.ChildProcess;
  readonly home: string;
  post(path: string, body: unknown, accept?: string): Promise<Response>;
}

async function startReal(): Promise<Running> {
  const root = await Deno.makeTempDir({ prefix: "toolscript-end-" });
  const { command, args } = fixture("good");
  await Deno.mkdir(join(root, ".onetool"));
  const config = { servers: { fixture: { command, args } } };
  await Deno.writeTextFile(join(root, ".onetool", "onetool.yaml"), dump(config));
  const child = cliCommand(["gateway", "start"], { home: root, cwd: root }).spawn();
  const printed = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const url = /Listening on (\S+)/.exec((await printed.read()).value ?? "")?.[1] ?? "";
  const [file] = [...Deno.readDirSync(join(root, ".onetool", "run"))]
    .filter(({ name }) => /^\d+\.json$/.test(name));
  const { token } = JSON.parse(
    await Deno.readTextFile(join(root, ".onetool", "run", file?.name ?? "")),
  );
  return {
    child,
    home: root,
    post: (path, body, accept = "application/json") =>
      fetch(`${url}${path}`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json", accept },
        body: JSON.stringify(body),
      }),
    async [Symbol.asyncDispose]() {
      attempt(() => child.kill("SIGKILL")); // it has ended, unless the test failed
      await printed.cancel();
      await child.stderr.cancel();
      await child.status;
      await Deno.remove(root, { recursive: true });
    },
  };
}

Deno.test("SIGTERM lets a running program end and refuses new runs", async () => {
  await using gateway = await startReal();
  const script = "await new Promise((done) => setTimeout(done, 1500)); 'ended by itself'";
  const response = await gateway.post("/run", { script }, "application/x-ndjson");
  const lines = events(response);
  assert.equal((await lines.next()).value?.type, "started");
  gateway.child.kill("SIGTERM");
  const post = () =>
    gateway.post("/run", { script: "1" }).then(
      async (answer) => {
        await answer.body?.cancel();
        return answer.status;
      },
      () => "refused",
    );
  let refused = await post();
  while (refused === 200) refused = await post(); // the signal is on its way
  assert.ok(refused === 503 || refused === "refused", String(refused));
  let value: unknown;
  for await (const event of lines) value = event.value ?? value;
  assert.equal(value, "ended by itself");
  assert.equal((await gateway.child.status).code, 0);
  assert.deepEqual(runFiles(gateway.home), []);
});

Deno.test({
  name: "nothing that a gateway started outlives its SIGKILL",
  ignore: Deno.build.os !== "linux",
  fn: async () => {
    await using gateway = await startReal();
    const call = async (tool: string) =>
      Number((await (await gateway.post(`/tools/fixture__${tool}`, {})).json()).result);
    const called = [await call("pid"), await call("child")];
    const script = "await new Promise((done) => setTimeout(done, 60_000))";
    const response = await gateway.post("/run", { script }, "application/x-ndjson");
    const lines = events(response);
    await lines.next();
    // Some have ended by themselves, such as a process of the pool.
    const children = childrenOf(gateway.child.pid).filter(isAlive);
    const started = [...new Set([...called, ...children])];
    assert.ok(started.length > 3 && called.every(isAlive), started.join());
    gateway.child.kill("SIGKILL");
    await lines.next().catch(() => {}); // The answer breaks off.
    for (let i = 0; i < 600 && started.some(isAlive); i++) await delay(50);
    assert.deepEqual(started.filter(isAlive), []);
  },
});

function runFiles(home: string): string[] {
  return [...Deno.readDirSync(join(home, ".onetool", "run"))]
    .map(({ name }) => name).filter((name) => /^\d+\.json$/.test(name));
}

/** Direct children, as the kernel knows them. */
function childrenOf(pid: number): number[] {
  return Deno.readTextFileSync(`/proc/${pid}/task/${pid}/children`).trim().split(" ")
    .filter(Boolean).map(Number);
}

/** Whether a process is there and is not merely waiting to be collected. */
function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(Deno.readTextFileSync(`/proc/${pid}/status`));
  } catch {
    return false;
  }
}
