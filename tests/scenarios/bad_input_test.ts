/** What goes wrong ends in one clear error, the right code, and a gateway that serves the next. */

import assert from "node:assert/strict";
import { delay, openGateway, type TestGateway } from "../support/gateway.ts";
import { fixture } from "../support/servers.ts";

const IMPORT = 'import { tools } from "toolscript";\n';

interface Row {
  readonly name: string;
  readonly script: string;
  readonly code: string | null;
  readonly says: RegExp;
  readonly timeout?: number;
}

const ROWS: readonly Row[] = [
  {
    name: "a syntax error",
    script: "const = 1",
    code: "syntax_error",
    says: /^Syntax error at line 1/,
  },
  {
    name: "a type error",
    script: 'const a: number = "";',
    code: "type_error",
    says: /^Type error at line 1/,
  },
  {
    name: "a missing tool",
    script: `${IMPORT}tools.fixture.ecko({})`,
    code: "type_error",
    says: /ecko/,
  },
  {
    name: "a missing tool that only dispatch can see",
    script: `${IMPORT}const name: string = "ecko"; await (tools.fixture as any)[name]({})`,
    code: "tool_error",
    says: /no such tool in "fixture": available: echo/,
  },
  { name: "an endless loop", script: "for (;;);", code: "cpu_limit", says: /CPU.*sandbox\.cpu/ },
  {
    name: "an endless wait",
    script: "await new Promise((resolve) => setTimeout(resolve, 60_000))",
    code: "timeout",
    says: /longer than 1 s.*sandbox\.timeout/,
    timeout: 1,
  },
  {
    name: "an unbounded array",
    script: "const all: unknown[] = []; for (;;) all.push(new Array(1000).fill(all.length));",
    code: "memory_limit",
    says: /sandbox\.memory_mb/,
  },
  {
    name: "unbounded buffers",
    script: "const all: Uint8Array[] = []; for (;;) all.push(new Uint8Array(8_000_000).fill(1));",
    code: "memory_limit",
    says: /sandbox\.memory_mb/,
  },
  {
    name: "an output flood",
    script: 'for (;;) console.log("x".repeat(10_000));',
    code: "output_limit",
    says: /sandbox\.output_mb/,
  },
  {
    name: "a value that is too large",
    script: '"x".repeat(3_000_000)',
    code: "output_limit",
    says: /sandbox\.output_mb/,
  },
  {
    name: "too many calls",
    script: `${IMPORT}for (;;) await tools.fixture.echo({});`,
    code: "call_limit",
    says: /sandbox\.calls/,
  },
  {
    name: "an unhandled rejection",
    script:
      'Promise.reject(new Error("alone")); await new Promise((done) => setTimeout(done, 500));',
    code: "thrown",
    says: /Error: alone/,
  },
  {
    name: "Deno.exit(0) in the middle",
    script: "Deno.exit(0); 5",
    code: null,
    says: /OK: no value/,
  },
  { name: "Deno.exit(3)", script: "Deno.exit(3)", code: "exited", says: /exit code 3/ },
  {
    name: "a server that dies during the call",
    script: `${IMPORT}await tools.fixture.crash({})`,
    code: "tool_error",
    says: /fixture/,
  },
];

async function openSmall(): Promise<TestGateway> {
  const { command, args } = fixture("good");
  const gateway = await openGateway({
    servers: { fixture: { command, args } },
    sandbox: { timeout: 30, cpu: 1, memory_mb: 64, output_mb: 1, calls: 20 },
  });
  await gateway.ready();
  return gateway;
}

Deno.test("a program that goes wrong ends in one clear error, and the next one runs", async (t) => {
  await using gateway = await openSmall();
  for (const { name, script, code, says, timeout } of ROWS) {
    await t.step(name, async () => {
      const reply = await gateway.run(script, { timeout });
      assert.equal(reply.ok, code === null, reply.text);
      assert.equal(reply.error?.code ?? null, code, reply.text);
      assert.match(reply.text, says);
      assert.doesNotMatch(reply.text, /\/(tmp|root|home|work)\/|127\.0\.0\.1/);
      const next = await gateway.run(`${IMPORT}await tools.fixture.echo({ after: 1 })`);
      assert.deepEqual(next.value, { after: 1 }, next.text);
    });
  }
});

Deno.test("a server that failed never stops the others", async () => {
  const { command, args } = fixture("good");
  await using gateway = await openGateway({
    servers: {
      missing: { command: "no-such-command-anywhere" },
      dying: { command, args: [...args.slice(0, -1), "dies"] },
      fixture: { command, args },
    },
  });
  const reply = await gateway.run(`${IMPORT}await tools.fixture.echo({ fine: true })`);
  assert.deepEqual(reply.value, { fine: true }, reply.text);
  await gateway.ready();
  const { servers } = await (await gateway.fetch("/status")).json();
  assert.equal(servers.fixture.status, "connected");
  assert.equal(servers.missing.status, "disconnected");
  assert.equal(servers.dying.status, "disconnected");
  assert.doesNotMatch(JSON.stringify(servers), /no-such-command|\//);
  const refused = await gateway.post("/tools/missing__anything", {});
  assert.equal(refused.status, 503);
  assert.equal((await refused.json()).error.code, "unavailable");
});

Deno.test("calls in flight are bounded, not refused", async () => {
  const { command, args } = fixture("good");
  await using gateway = await openGateway({
    servers: { fixture: { command, args } },
    sandbox: { in_flight: 2, calls: 50 },
  });
  const reply = await gateway.run(
    `${IMPORT}const all = await Promise.all(Array.from({ length: 20 }, (_, i) => tools.fixture.echo({ i })));\nall.length`,
  );
  assert.equal(reply.value, 20, reply.text);
  const large = await gateway.run(
    `${IMPORT}await tools.fixture.echo({ text: "x".repeat(2_000_000) })`,
  );
  assert.equal(large.error?.details.code, "too_large", large.text);
});

Deno.test("runs beyond the queue are refused as busy, with Retry-After", async () => {
  await using gateway = await openGateway({ sandbox: { concurrent: 1, queue: 1, pool: 1 } });
  const wait = "await new Promise((done) => setTimeout(done, 1500)); 1";
  const runs = [1, 2, 3, 4].map(() => gateway.post("/run", { script: wait }));
  const answers = await Promise.all(runs);
  const refused = answers.filter(({ status }) => status === 429);
  assert.equal(refused.length, 2);
  assert.ok(refused.every(({ headers }) => headers.get("retry-after")));
  for (const answer of answers) await answer.body?.cancel();
});

Deno.test("a client that goes away cancels its run and the calls it made", async () => {
  const mark = await Deno.makeTempFile();
  const { command, args } = fixture("good");
  await using gateway = await openGateway({
    servers: { fixture: { command, args: [...args, mark] } },
  });
  await gateway.ready();
  for await (const event of gateway.stream(`${IMPORT}await tools.fixture.hang({})`)) {
    if (event.type === "call") break;
  }
  for (let i = 0; i < 600 && (await Deno.readTextFile(mark)) === ""; i++) await delay(50);
  assert.match(await Deno.readTextFile(mark), /requestId/, "the server was not told");
  for (let i = 0; i < 600; i++) {
    const { sandbox } = await (await gateway.fetch("/status")).json();
    if (sandbox.running === 0) break;
    await delay(50);
  }
  const { sandbox } = await (await gateway.fetch("/status")).json();
  assert.equal(sandbox.running, 0);
  await Deno.remove(mark);
});

Deno.test("a run's path dies with the run", async () => {
  await using gateway = await openGateway();
  const reply = await gateway.run("Deno.env.get('TOOLSCRIPT_GATEWAY_URL')");
  const path = new URL(String(reply.value)).pathname;
  for (const below of ["/runtime/tools.ts", "/tools/x__y", "/result", ""]) {
    const response = await gateway.fetch(`${path}${below}`);
    await response.body?.cancel();
    assert.equal(response.status, 404, below);
  }
});
