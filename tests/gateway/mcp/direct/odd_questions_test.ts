/** Questions in the answers of servers to what a client reads: bounded and set off, as in calls. */

import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { openGateway, type TestGateway } from "../../../support/gateway.ts";
import { askingCommand } from "../../../support/servers.ts";
import { ERAS, newClient, overHttp } from "../clients.ts";

const FIXTURE = fileURLToPath(
  new URL("../../../fixtures/mcp/odd_questions_server.ts", import.meta.url),
);
const ODD = { command: Deno.execPath(), args: ["run", "--quiet", "--no-check", FIXTURE] };
const URL_NEEDED = -32042;

for (const era of ERAS) {
  Deno.test(`what a server asks in reads reaches a client of the ${era} era set off`, async (t) => {
    await using gateway = await openGateway({ servers: { odd: ODD }, direct: ["odd"] });
    await gateway.ready();
    const capabilities = { elicitation: { form: {}, url: {} }, sampling: {} };
    const client = newClient(era, { capabilities });
    const seen: { message?: string; includeContext?: string; requestedSchema?: unknown }[] = [];
    client.setRequestHandler("elicitation/create", ({ params }) => {
      seen.push(params as typeof seen[number]);
      return { action: "accept", content: { name: "Ana" } };
    });
    client.setRequestHandler("sampling/createMessage", ({ params }) => {
      seen.push(params as typeof seen[number]);
      return { role: "assistant", model: "m", content: { type: "text", text: "ok" } };
    });
    await using _connection = await overHttp(gateway, client);

    await t.step("a form", async () => {
      const { messages } = await client.getPrompt({ name: "form" });
      assert.match(JSON.stringify(messages), /Ana/);
      assert.match(seen[0]?.message ?? "", /^The server "odd" asks:\n> Your .*word:$/);
      assert.doesNotMatch(JSON.stringify(seen[0]), /\u202e|Name\\nword/);
    });
    await t.step("a model, without the context of servers", async () => {
      await client.getPrompt({ name: "sample" });
      assert.equal(seen.at(-1)?.includeContext, undefined);
    });
    await t.step("no question after a hundred", async () => {
      const before = seen.length;
      await assert.rejects(client.getPrompt({ name: "endless" }));
      assert.ok(seen.length - before <= 100, `${seen.length - before}`);
      const prompted = seen.length;
      await client.callTool({ name: "endless", arguments: {} }).catch(() => {});
      assert.ok(seen.length - prompted <= 100, `${seen.length - prompted}`);
    });
    await t.step("nothing with a state that is too large to keep", async () => {
      const before = seen.length;
      await assert.rejects(client.getPrompt({ name: "state" }), /their state has over 262144/);
      await assert.rejects(client.getPrompt({ name: "key" }), /name of one has over 1000/);
      assert.equal(seen.length, before);
    });
    await t.step("nothing for a program with a state or a name that is too large", async () => {
      const before = seen.length;
      for (const [tool, size] of Object.entries({ state: "262144", key: "1000" })) {
        const command = `odd.${tool}().catch((error) => [error.name, error.code, error.message])`;
        const called = JSON.stringify(
          await client.callTool({ name: "run", arguments: { command } }),
        );
        assert.match(called, /tool_error/);
        assert.match(called, new RegExp(`Cannot take questions of .*has over ${size} characters`));
      }
      assert.equal(seen.length, before);
    });
    await t.step("addresses to open", async () => {
      const open = (uri: string) => client.readResource({ uri }).then(() => {}, (error) => error);
      const { code, data, message } = await open("odd://web");
      assert.equal(code, URL_NEEDED);
      assert.match(message, /The server "odd" asks:\n> Toolscript:/);
      assert.ok(!message.includes("\u001b"));
      assert.deepEqual(data.elicitations.map(({ url }: { url: string }) => url), [
        "https://sign.example/in",
      ]);
      assert.match(data.elicitations[0].message, /^The server "odd" asks:\n> Press/);
      for (const uri of ["odd://file", "odd://user", "odd://words"]) {
        const refusal = await open(uri);
        assert.notEqual(refusal.code, URL_NEEDED, uri);
        assert.doesNotMatch(JSON.stringify(refusal), /ssh|bank/);
      }
      const called = await client.callTool({ name: "file", arguments: {} }).catch(String);
      assert.doesNotMatch(JSON.stringify(called), /ssh/);
    });
  });
}

Deno.test("a client without a limit of its own is asked a hundred questions", async (t) => {
  const servers = { odd: ODD, asking: askingCommand("modern") };
  await using gateway = await openGateway({ servers, direct: ["odd", "asking"] });
  await gateway.ready();
  const rows: [string, string, number][] = [
    ["tools/call", "endless", 50],
    ["tools/call", "asking__endless", 100],
    ["prompts/get", "endless", 50],
  ];
  for (const [method, name, most] of rows) {
    await t.step(`${method} ${name}`, async () => {
      let rounds = 0;
      let answer = await sendModern(gateway, { method, params: { name, arguments: {} } });
      for (; answer.result?.resultType === "input_required" && rounds < 200; rounds++) {
        const { inputRequests, requestState } = answer.result;
        const keys = Object.keys(inputRequests ?? {});
        const accepted = { action: "accept", content: { name: "Ana" } };
        const inputResponses = Object.fromEntries(keys.map((key) => [key, accepted]));
        const params = { name, arguments: {}, requestState, inputResponses };
        answer = await sendModern(gateway, { method, params });
      }
      assert.equal(rounds, most, JSON.stringify(answer));
      assert.match(JSON.stringify(answer), /asks more than 100 questions in one request/);
    });
  }
});

interface ModernAnswer {
  readonly result?: {
    readonly resultType: string;
    readonly inputRequests?: Readonly<Record<string, unknown>>;
    readonly requestState?: string;
  };
}

interface ModernRequest {
  readonly method: string;
  readonly params: { readonly name: string; readonly [key: string]: unknown };
}

/** Sends one request as a client of the newest protocol. */
async function sendModern(
  gateway: TestGateway,
  { method, params }: ModernRequest,
): Promise<ModernAnswer> {
  const key = "io.modelcontextprotocol/";
  const meta = {
    [`${key}protocolVersion`]: "2026-07-28",
    [`${key}clientInfo`]: { name: "test", version: "1" },
    [`${key}clientCapabilities`]: { elicitation: { form: {} } },
  };
  const body = { jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: meta } };
  const response = await gateway.post("/mcp", body, {
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": method,
    "mcp-name": params.name,
  });
  const text = await response.text();
  return JSON.parse(/^data: (?<data>.*)$/m.exec(text)?.groups?.data ?? text);
}

for (const era of ERAS) {
  Deno.test(`a client of the ${era} era that cannot be asked gets an error`, async () => {
    await using gateway = await openGateway({ servers: { odd: ODD }, direct: ["odd"] });
    await gateway.ready();
    await using connection = await overHttp(gateway, newClient(era));
    const call = connection.client.callTool({ name: "endless", arguments: {} });
    const result = await call.catch((error) => ({ isError: true, content: String(error) }));
    assert.equal(result.isError, true);
    assert.match(JSON.stringify(result.content), /elicitation|capabilit/);
  });
}
