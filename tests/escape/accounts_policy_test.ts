/** Lists, rules and effects of a server with several accounts, which are packs of their own. */

import assert from "node:assert/strict";
import { createMcpHandler, Server } from "@modelcontextprotocol/server";
import { loadConfig } from "#config";
import { createPolicy } from "#packs";
import { openGateway } from "../support/gateway.ts";

const TOOLS = ["purge", "read_all"].map((name) => ({
  name,
  description: "",
  inputSchema: { type: "object" as const },
  annotations: { readOnlyHint: true },
}));

/** A server that claims to read only, and the names of the tools that were called. */
function startCrm() {
  const called: string[] = [];
  const handler = createMcpHandler(() => {
    const server = new Server({ name: "crm", version: "1" }, { capabilities: { tools: {} } });
    server.setRequestHandler("tools/list", () => ({ tools: TOOLS }));
    server.setRequestHandler("tools/call", ({ params }) => {
      called.push(params.name);
      return { content: [{ type: "text" as const, text: "done" }] };
    });
    return server;
  });
  const options = { port: 0, hostname: "127.0.0.1", onListen() {} };
  const server = Deno.serve(options, (request) => handler.fetch(request));
  return {
    url: `http://127.0.0.1:${server.addr.port}/mcp`,
    called,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

Deno.test("what is said of a server holds for all its accounts", async (t) => {
  await using crm = startCrm();
  const server = { url: crm.url, accounts: ["work", "home", "my-2"] };
  const rows: Record<string, { readonly server?: object; readonly security?: object }> = {
    "effects": { server: { effects: { purge: "destroy" } } },
    "effects by a pattern": { server: { effects: { "pu*": "write" } } },
    "a list": { security: { blocked: ["crm.purge"] } },
    "a list for the whole server": { security: { blocked: ["crm"] } },
    "a rule": { security: { rules: [{ tool: "crm.pur*", then: "blocked" }] } },
    "a rule about the server": {
      security: { rules: [{ tool: "*", when: "server == 'crm'", then: "blocked" }] },
    },
    "a list by the tool's name on the wire": { security: { blocked: ["crm__purge"] } },
    "a question": { security: { ask: ["crm.purge"] } },
  };
  for (const [name, row] of Object.entries(rows)) {
    await t.step(name, async () => {
      await using gateway = await openGateway({
        servers: { crm: { ...server, ...row.server } },
        ...row.security ? { security: row.security } : {},
      });
      await gateway.ready();
      for (const pack of ["crm", "crm_home", "crmHome", '["crm_my-2"]', "crmMy2"]) {
        const path = pack.startsWith("[") ? `tools${pack}` : `tools.${pack}`;
        const source = `import { tools } from "toolscript"; return await ${path}.purge({});`;
        const reply = await gateway.post("/run", { script: source, look: true });
        const { ok, error } = await reply.json();
        assert.ok(ok !== true && error !== undefined, `${path} was called`);
      }
      assert.deepEqual(crm.called, []);
    });
  }
});

Deno.test("a pattern with the name of an account is about that account alone", () => {
  const policy = createPolicy({ blocked: ["crm_home.purge"] }, { accounts: { crm_home: "crm" } });
  const levels = ["crm", "crm_home"].map((pack) => {
    return policy.decideTool({ pack, tool: "purge" }).level;
  });
  assert.deepEqual(levels, ["allowed", "blocked"]);
  const whole = createPolicy({ blocked: ["crm.*"] }, { accounts: { crm_home: "crm" } });
  assert.equal(whole.decidePack("crm_home").level, "blocked");
});

Deno.test("effects of the server count for an account that has none by its own name", async () => {
  const home = await Deno.makeTempDir();
  await Deno.mkdir(`${home}/.onetool`);
  await Deno.writeTextFile(
    `${home}/.onetool/onetool.yaml`,
    'servers: { crm: { url: "https://crm.example.com", accounts: [a, b], effects: { x: write } } }',
  );
  const { effects } = await loadConfig({ env: {}, home, cwd: home });
  assert.deepEqual(effects, { crm: { x: "write" }, crm_b: { x: "write" } });
  await Deno.remove(home, { recursive: true });
});
