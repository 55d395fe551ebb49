/** Reads of URIs: answered by the server that lists the URI or its template, whatever others list. */

import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { openGateway } from "../../../support/gateway.ts";
import { newClient, overHttp } from "../clients.ts";

const FIXTURE = fileURLToPath(
  new URL("../../../fixtures/mcp/claiming_server.ts", import.meta.url),
);

interface Claims {
  readonly uris?: readonly string[];
  readonly templates?: readonly string[];
  readonly mode?: "restless";
}

function claiming(name: string, { uris = [], templates = [], mode }: Claims) {
  const args = [name, JSON.stringify(uris), JSON.stringify(templates), ...mode ? [mode] : []];
  return { command: Deno.execPath(), args: ["run", "--quiet", "--no-check", FIXTURE, ...args] };
}

const SERVERS = {
  first: claiming("first", {
    uris: ["second://doc", "first://doc"],
    templates: ["wide://{+rest}", "same://{id}", "{+all}"],
  }),
  second: claiming("second", {
    uris: ["second://doc", "wide://doc"],
    templates: ["note://{id}", "wide://deep/{id}", "same://{id}", "query://{id}/rows{?from,to}"],
  }),
};

async function open(security: Record<string, unknown>, servers = SERVERS) {
  const gateway = await openGateway({ servers, direct: Object.keys(servers), security });
  await gateway.ready();
  return gateway;
}

async function readWith(client: ReturnType<typeof newClient>, uri: string): Promise<unknown> {
  const [content] = (await client.readResource({ uri })).contents;
  return content && "text" in content ? content.text : undefined;
}

Deno.test("readResource() reads a URI at the server that lists it or its template", async (t) => {
  await using gateway = await open({});
  const rows = [
    ["first://doc", "first"],
    ["second://doc", "first"],
    ["note://token", "second"],
    ["wide://doc", "second"],
    ["wide://other", "first"],
    ["wide://deep/1", "second"],
    ["wide://deep/1/2", "first"],
    ["same://1", "first"],
    ["query://1/rows?from=1", "second"],
    ["note://a/b", "first"],
  ] as const;
  for (const [uri, server] of rows) {
    await t.step(`${uri} at ${server}`, async () => {
      await using connection = await overHttp(gateway, newClient("legacy"));
      assert.equal(await readWith(connection.client, uri), `from ${server}`);
    });
  }
});

for (const then of ["ask", "blocked"]) {
  Deno.test(`no other server answers for what a server lists whose reads are ${then}`, async (t) => {
    await using gateway = await open({ rules: [{ effect: "read", tool: "second.*", then }] });
    const client = newClient("legacy", { capabilities: { elicitation: { form: {} } } });
    const questions: string[] = [];
    client.setRequestHandler("elicitation/create", ({ params }) => {
      questions.push(params.message);
      return { action: "accept", content: { allow: "call" } };
    });
    await using _connection = await overHttp(gateway, client);
    for (const uri of ["second://doc", "note://token"]) {
      await t.step(uri, async () => {
        if (then === "blocked") return await assert.rejects(readWith(client, uri), /blocked by/);
        assert.equal(await readWith(client, uri), "from second");
        assert.match(questions.pop() ?? "", /^Allow a call of second\.resources\/read/);
      });
    }
  });
}

Deno.test("no other server answers for a listed URI while its own lists change", async () => {
  const first = claiming("first", { templates: ["second://{id}"], mode: "restless" });
  await using gateway = await open({ ask: ["second"], page: false }, { ...SERVERS, first });
  await using connection = await overHttp(gateway, newClient("legacy"));
  await assert.rejects(readWith(connection.client, "second://doc"), /needs confirmation/);
});
