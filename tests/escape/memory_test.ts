/** Programs that try to fill the gateway's memory over HTTP. */

import { equal, ok, rejects } from "node:assert/strict";
import { type Begun, type GatewayProcess, startGatewayProcess, WAIT } from "./gateway_process.ts";
import { flood } from "./http2_client.ts";
import { createRunPath, type RunPathDeps } from "../../gateway/run/run_path.ts";
import { Budget } from "../../sandbox/process/budget.ts";
import { openVisit } from "../../sandbox/process/visit.ts";

/** Megabytes: an idle gateway has less than half. */
const BOUND = 900;
const CONNECTIONS = 20;
const STREAMS = 150;
/** Seconds for a run that nothing else ends, after all of it was sent. */
const SHORT = { timeout: 4 };
const JSON_TYPE = { "content-type": "application/json" };

/** Requests that a program can send without end, since none is a call. */
const REFUSED = ["GET tools/a__b", "PUT tools/a__b", "POST runtime/tools.ts", "GET runtime/none.ts"]
  .concat("GET none", "POST none", "GET program/none.ts", "GET value");

Deno.test("a refused request of a run leaves nothing in the server", async (t) => {
  const runPath = createRunPath({
    catalog: { file: (path: string) => path === "tools.ts" ? "export {}" : undefined },
    runner: { call: () => Promise.reject(new Error("It was called")) },
    limits: () => ({ callBytes: 1 }),
  } as unknown as RunPathDeps);
  for (const refused of REFUSED) {
    await t.step(refused, async () => {
      const [method, path = ""] = refused.split(" ");
      const request = new Request(`http://127.0.0.1/r/secret/${path}`, { method });
      let reads = 0;
      // Deno's server keeps the signal of a request until the connection ends.
      Object.defineProperty(request, "signal", {
        get: () => (reads++, new AbortController().signal),
      });
      using visit = openVisit({
        secret: "secret",
        budget: new Budget(() => {}),
        signal: new AbortController().signal,
        module: () => undefined,
        posted: () => undefined,
      });
      await rejects(runPath(request, { path, visit }), { name: "HttpError" });
      equal(reads, 0);
    });
  }
});

interface Attack {
  readonly name: string;
  readonly method?: string;
  /** Below the run's own path. */
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly bytes?: number;
  /** It takes little at once, whatever is sent. */
  readonly harmless?: boolean;
}

const ATTACKS: readonly Attack[] = [
  {
    name: "uploads to a tool that never end",
    path: "/tools/none__such",
    headers: { ...JSON_TYPE, "content-length": "1000000" },
    bytes: 200_000,
  },
  {
    name: "uploads of unknown length",
    path: "/tools/none__such",
    headers: JSON_TYPE,
    bytes: 200_000,
  },
  {
    name: "values that never end",
    path: "/value",
    headers: JSON_TYPE,
    bytes: 200_000,
    harmless: true,
  },
  { name: "modules that are not read", method: "GET", path: "/program/script.ts" },
];

Deno.test("a run that floods its own path is ended, and the gateway stays small", async (t) => {
  await using gateway = await startGatewayProcess();
  for (const attack of ATTACKS) {
    await t.step(attack.name, async () => {
      const script = `${WAIT}\n// ${"x".repeat(300_000)}`;
      const begun = await gateway.begin(script, attack.harmless ? { timeout: 15 } : {});
      using attacked = attackRun(gateway, begun, attack);
      await attacked.answered;
      const reply = await begun.reply;
      const expected = attack.harmless ? "timeout" : "crashed";
      ok(reply.error?.code === expected, JSON.stringify(reply).slice(0, 1000));
      ok(await gateway.peak() < BOUND, `${await gateway.peak()} MB`);
    });
  }
  const next = await gateway.run("export default 1 + 1");
  ok(next.value === 2, JSON.stringify(next));
});

function attackRun({ url }: GatewayProcess, { address }: Begun, attack: Attack) {
  const { method = "POST", path, headers = {}, bytes } = attack;
  const base = new URL(address).pathname;
  return flood(url, {
    connections: CONNECTIONS,
    streams: STREAMS,
    headers: { ":method": method, ":path": `${base}${path}`, ...headers },
    bytes,
  });
}

Deno.test("a request without a token is answered unread, and few are kept open", async (t) => {
  await using gateway = await startGatewayProcess();
  const ended = await gateway.run('export default Deno.env.get("TOOLSCRIPT_GATEWAY_URL")');
  const dead = new URL(String(ended.value)).pathname;
  const paths = ["/run", "/mcp", "/health", "/r/wrong/tools/a__b", `${dead}/value`, "/nothing"];
  for (const path of paths) {
    await t.step(path.startsWith(dead) ? "a dead run's path" : path, async () => {
      using attacked = flood(gateway.url, {
        connections: CONNECTIONS,
        streams: STREAMS,
        headers: { ":method": "POST", ":path": path, ...JSON_TYPE, "content-length": "1000000" },
        bytes: 200_000,
      });
      await attacked.answered;
      ok(!attacked.statuses.has(200), JSON.stringify([...attacked.statuses]));
      ok(await gateway.peak() < BOUND, `${await gateway.peak()} MB`);
    });
  }
  await t.step("answers that are not read", async () => {
    using attacked = flood(gateway.url, {
      connections: CONNECTIONS,
      streams: STREAMS,
      headers: { ":method": "GET", ":path": "/status" },
    });
    await attacked.answered;
    ok(await gateway.peak() < BOUND, `${await gateway.peak()} MB`);
    const health = await fetch(`${gateway.url}/health`);
    ok((await health.json()).status === "ok");
  });
});

Deno.test("a program that floods the gateway by fetch leaves it small", async (t) => {
  await using gateway = await startGatewayProcess({ sandbox: { timeout: 10 } });
  const programs = {
    "uploads that never end": `
      const url = Deno.env.get("TOOLSCRIPT_GATEWAY_URL") + "/tools/none__such";
      const body = () => new ReadableStream({
        start(controller) { controller.enqueue(new Uint8Array(200_000)); },
      });
      const headers = { "content-type": "application/json" };
      const all = Array.from({ length: 200 }, () =>
        fetch(url, { method: "POST", headers, body: body() }));
      await Promise.allSettled(all);
    `,
    "answers that are not read": `
      const url = Deno.env.get("TOOLSCRIPT_GATEWAY_URL") + "/runtime/tools.ts?_t=";
      const all = [];
      for (let n = 0; n < 2_000; n++) all.push(await fetch(url + n));
      await new Promise(() => {});
    `,
  };
  for (const [name, program] of Object.entries(programs)) {
    await t.step(name, async () => {
      const reply = await gateway.run(program, SHORT);
      ok(!reply.ok, JSON.stringify(reply).slice(0, 1000));
      ok(await gateway.peak() < BOUND, `${await gateway.peak()} MB`);
    });
  }
});
