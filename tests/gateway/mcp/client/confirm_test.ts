import assert from "node:assert/strict";
import { silent } from "#base";
import { createMcpBackend, createMcpHttp } from "#gateway";
import { createRegistry } from "#packs";
import { createInbox, createPerson, type Inbox, type Question, type RunReply } from "#runtime";
import type { McpRunOptions } from "#gateway";
import { delay } from "../../../support/gateway.ts";
import { ERAS, INITIALIZE, newClient, overHttp, textOf } from "../clients.ts";

type Work = (options: McpRunOptions) => Promise<string>;

/** `/mcp` with runs that do as a test says: what the runner does is tested elsewhere. */
function serve(work: Work, askTimeoutMs = 10_000) {
  const run = async (_: unknown, options: McpRunOptions): Promise<RunReply> => {
    const text = await work(options);
    const timing = { parse: 0, check: 0, hand_over: 0, execute: 0, serialise: 0 };
    const rest = { stdout: "", stderr: "", warnings: ["mind"], calls: 0, ms: 0, timing };
    return { run: "r_1", ok: true, text, ...rest };
  };
  const registry = createRegistry([], { log: silent });
  const newId = () => crypto.randomUUID();
  const shared = { newId, log: silent };
  const backend = createMcpBackend({
    ...shared,
    version: "0",
    registry,
    servers: [],
    direct: [],
    run,
    cwd: "/",
    inbox: createPrivateInbox(askTimeoutMs),
    askTimeoutMs: () => askTimeoutMs,
    results: {
      list: () => Promise.resolve([{ handle: "h/1", mimeType: "application/json", size: 2 }]),
      read: (handle) =>
        Promise.resolve(
          handle === "h/1" ? { text: "{}", mimeType: "application/json" } : undefined,
        ),
    },
  });
  const now = () => performance.now();
  const mcp = createMcpHttp({ ...shared, backend, now, maxBodyBytes: 100_000, most: 2 });
  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {} },
    async (r) => await mcp.handle(r, r.method === "POST" ? await r.json() : undefined),
  );
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    token: "",
    mcp,
    async [Symbol.asyncDispose]() {
      await mcp[Symbol.asyncDispose]();
      await server.shutdown();
    },
  };
}

const question: Question = { tool: "github.delete_repo", arguments: { name: "x" }, line: 3 };

/** An inbox whose questions the page cannot answer. */
function createPrivateInbox(waitMs: number): Inbox {
  const newId = () => crypto.randomUUID();
  return createInbox({ newId, now: Date.now, waitMs: () => waitMs, address: () => undefined });
}

async function askTwice({ answerers, waits, signal }: McpRunOptions): Promise<string> {
  const ask = createPerson({ inbox: createPrivateInbox(10_000), answerers, waits });
  if (!ask) return "nobody to ask";
  const second = { ...question, arguments: { name: "y" } };
  return `${await ask(question, signal)}, ${await ask(second, signal)}`;
}

for (const era of ERAS) {
  Deno.test(`a run's questions reach the person behind a ${era} client`, async () => {
    await using gateway = await serve(askTwice);
    const client = newClient(era, { capabilities: { elicitation: { form: {} } } });
    const messages: string[] = [];
    client.setRequestHandler("elicitation/create", ({ params }) => {
      messages.push(params.message);
      return messages.length === 1
        ? { action: "accept", content: { allow: "call" } }
        : { action: "decline" };
    });
    await using _connection = await overHttp(gateway, client);
    const result = await client.callTool({ name: "run", arguments: { command: "x" } });
    assert.equal(textOf(result), "call, no");
    assert.match(String(messages[0]), /^Allow a call of github\.delete_repo \(line 3\)\?\n/);
    assert.match(String(messages[0]), /"name": "x"/);
    assert.match(String(messages[1]), /"name": "y"/);
  });

  Deno.test(`a ${era} client without elicitation is not asked`, async () => {
    await using gateway = await serve(askTwice);
    await using connection = await overHttp(gateway, newClient(era));
    const result = await connection.client.callTool({ name: "run", arguments: { command: "x" } });
    assert.equal(textOf(result), "nobody to ask");
  });

  Deno.test(`a ${era} client reads stored results as resources`, async () => {
    await using gateway = await serve(askTwice);
    await using connection = await overHttp(gateway, newClient(era));
    const { resources } = await connection.client.listResources();
    assert.deepEqual(resources.map(({ uri, name }) => [uri, name]), [[
      "ot://result/h%2F1",
      "h/1",
    ]]);
    const { contents } = await connection.client.readResource({ uri: "ot://result/h%2F1" });
    assert.deepEqual(contents, [{
      uri: "ot://result/h%2F1",
      mimeType: "application/json",
      text: "{}",
    }]);
    await assert.rejects(connection.client.readResource({ uri: "ot://result/%E0" }), /not found/);
  });
}

Deno.test("a question without an answer is a no; a late client gets the result", async () => {
  const done = Promise.withResolvers<void>();
  await using gateway = await serve(async (options) => {
    const answers = await askTwice(options);
    done.resolve();
    return `${answers}, ${options.signal.aborted ? "ended" : "went on"}`;
  }, 50);
  const envelope = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": { elicitation: {} },
  };
  const call = async (more: Record<string, unknown>) => {
    const response = await fetch(`${gateway.url}/mcp`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": "tools/call",
        "mcp-name": "run",
      },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name: "run", arguments: { command: "x" }, _meta: envelope, ...more },
      }),
    });
    return await response.json();
  };
  const { result } = await call({});
  assert.equal(result.resultType, "input_required");
  await done.promise;
  const inputResponses = { input: { action: "accept", content: { allow: "call" } } };
  const back = { requestState: result.requestState, inputResponses };
  const late = await call(back);
  assert.equal(late.result.content[0].text, "no, no, went on");
  const again = await call(back);
  assert.match(again.error.message, /the request has ended/);
});

Deno.test("sessions are bounded: the least recently used one is evicted", async () => {
  await using gateway = await serve(askTwice);
  const open = async () => {
    const response = await fetch(`${gateway.url}/mcp`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "initialize",
        params: INITIALIZE,
      }),
    });
    await response.text();
    await delay(2);
    return response.headers.get("mcp-session-id");
  };
  for (let index = 0; index < 5; index++) assert.ok(await open());
  assert.equal(gateway.mcp.sessions(), 2);
});
