/** Answers of a person go to the server that asked, and to no other one. */

import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { delay, openGateway, type TestGateway } from "../../../support/gateway.ts";
import { ERAS, newClient, overHttp } from "../clients.ts";

const FIXTURE = fileURLToPath(
  new URL("../../../fixtures/mcp/mixed_owners_server.ts", import.meta.url),
);
const INVALID_PARAMS = -32602;
const ANSWER = { action: "accept" as const, content: { code: "secret" } };
const BY_HONEST = { by: "honest", inputResponses: { q: ANSWER } };

const server = (...args: readonly string[]) => ({
  command: Deno.execPath(),
  args: ["run", "--quiet", "--no-check", FIXTURE, ...args],
});

/** A gateway with both servers; `evil` is tried first. */
async function open(kind = "with-state") {
  const gateway = await openGateway({
    servers: { evil: server("evil"), honest: server("honest", kind) },
    direct: ["evil", "honest"],
  });
  await gateway.ready();
  return gateway;
}

type Params = Readonly<Record<string, unknown>>;

/** One request of a client of the newest protocol, as it is on the wire. */
async function send({ url, token }: TestGateway, method: string, params: Params) {
  const name = params.name ?? params.uri;
  const response = await fetch(`${url}/mcp`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": method,
      ...(name === undefined ? {} : { "mcp-name": String(name) }),
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method,
      params: {
        ...params,
        _meta: {
          "io.modelcontextprotocol/protocolVersion": "2026-07-28",
          "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
          "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} } },
        },
      },
    }),
  });
  const text = await response.text();
  return JSON.parse(text.replace(/^[\s\S]*?data: (?=\{)/, ""));
}

const READ = { uri: "vault://docs/1" };
const ROUNDS: readonly (readonly [string, Params])[] = [
  ["resources/read", READ],
  ["resources/read", { uri: "unlisted:1" }],
  ["tools/call", { name: "honest_ask", arguments: {} }],
  ["prompts/get", { name: "honest_prompt" }],
];

for (const era of ERAS) {
  Deno.test(`the answers of a client of the ${era} era go to the server that asked`, async (t) => {
    await using gateway = await open();
    const client = newClient(era, { capabilities: { elicitation: { form: {} } } });
    let beforeAnswer = () => Promise.resolve();
    client.setRequestHandler("elicitation/create", async () => {
      await beforeAnswer();
      return ANSWER;
    });
    await using _connection = await overHttp(gateway, client);
    const readBy = async (uri: string) => {
      const [content] = (await client.readResource({ uri })).contents;
      return JSON.parse(content && "text" in content ? content.text : "");
    };
    const expected = { ...BY_HONEST, requestState: "state-of-honest" };

    await t.step("where no list has the resource", async () => {
      assert.deepEqual(await readBy("unlisted:1"), expected);
    });
    await t.step("where another server lists the resource in between", async () => {
      beforeAnswer = async () => {
        await client.callTool({ name: "evil_show", arguments: {} });
        while ((await client.listResources()).resources.every(({ uri }) => uri !== READ.uri)) {
          await delay(20);
        }
      };
      assert.deepEqual(await readBy(READ.uri), expected);
    });
  });
}

for (const kind of ["with-state", "bare"]) {
  Deno.test(`a state is good for its request alone (${kind})`, async (t) => {
    await using gateway = await open(kind);
    for (const [method, params] of ROUNDS) {
      await t.step(`${method} ${params.name ?? params.uri}`, async () => {
        const { result } = await send(gateway, method, params);
        assert.equal(result.resultType, "input_required");
        const { requestState } = result;
        assert.equal(typeof requestState, "string");
        assert.doesNotMatch(requestState, /honest/);
        const answers = { inputResponses: { q: ANSWER }, requestState };

        const others = [
          ["tools/call", { name: "evil_ask", arguments: {} }],
          ["prompts/get", { name: "evil_prompt" }],
          ["resources/read", { uri: "evil://1" }],
        ] as const;
        for (const [other, otherParams] of others) {
          const reply = await send(gateway, other, { ...otherParams, ...answers });
          assert.equal(reply.error?.code, INVALID_PARAMS, JSON.stringify(reply));
        }
        const done = await send(gateway, method, { ...params, ...answers });
        assert.match(JSON.stringify(done.result), /\\"by\\":\\"honest\\".*\\"code\\":\\"secret\\"/);
        const again = await send(gateway, method, { ...params, ...answers });
        assert.equal(again.error?.code, INVALID_PARAMS);
        assert.match(again.error.message, /state is unknown: send it again/);
      });
    }
  });
}

Deno.test("answers without a state of the gateway reach no server", async (t) => {
  await using gateway = await open();
  const inputResponses = { q: ANSWER };
  for (const [method, params] of ROUNDS) {
    await t.step(`${method} ${params.name ?? params.uri}`, async () => {
      const { result } = await send(gateway, method, { ...params, inputResponses });
      assert.equal(result.resultType, "input_required");
      const foreign = { inputResponses, requestState: "state-of-honest" };
      const { error } = await send(gateway, method, { ...params, ...foreign });
      assert.equal(error.code, INVALID_PARAMS);
    });
  }
  await t.step("a tool of another server", async () => {
    const params = { name: "evil_ask", arguments: {}, inputResponses };
    assert.equal(
      (await send(gateway, "tools/call", params)).result.content[0].text,
      '{"by":"evil"}',
    );
  });
  await t.step("a completion", async () => {
    const { result } = await send(gateway, "completion/complete", {
      ref: { type: "ref/resource", uri: "evil://{id}" },
      argument: { name: "id", value: "1" },
      inputResponses,
      requestState: "state-of-honest",
    });
    assert.deepEqual(result.completion.values, ['{"by":"evil"}']);
  });
});
