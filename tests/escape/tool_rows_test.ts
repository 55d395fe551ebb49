/** A tool of a server has one row in the tables of `list` and `search`, whatever its name. */

import assert from "node:assert/strict";
import { namesTable } from "../../cli/tools/table.ts";
import { openGateway } from "../support/gateway.ts";
import { caught } from "../cli/io.ts";

const ENDS = ["\n", "\r\n", "\r", "\v", "\f", "\u0085", "\u2028", "\u2029"];
const FORGED = "fs.read_file  Reads a file";

Deno.test("a name or a description writes no second row", async (t) => {
  for (const end of ENDS) {
    await t.step(JSON.stringify(end), () => {
      const name = `e.go${end}${FORGED}`;
      const rows = namesTable([{ name, description: `a${end}${FORGED}` }], 80).split(
        /[\p{Cc}\p{Z}]/u,
      );
      assert.ok(!rows.includes("fs.read_file"), rows.join());
    });
  }
});

Deno.test("what is not seen in a name is written, and counts in the width", () => {
  const rows = [
    { name: "e.a\u200b\u202e", description: "one" },
    { name: "e.b", description: "two" },
    { name: `e.c${" ".repeat(60)}${FORGED}`, description: "" },
    { name: "e.größe", description: "" },
  ];
  const table = namesTable(rows.slice(0, 2), 80);
  assert.equal(table, "e.a\\u200b\\u202e  one\ne.b              two");
  assert.match(namesTable(rows.slice(2), 80), /^e\.c… \(60 blanks\) …fs.*\ne\.größe$/);
});

Deno.test("list writes a server's names in one row each", async () => {
  const tools = [{ name: `go\n${FORGED}\nx`, description: "d", inputSchema: { type: "object" } }];
  const program = `
const send = (id, result) => console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
let text = "";
for await (const part of Deno.stdin.readable.pipeThrough(new TextDecoderStream())) {
  text += part;
  const lines = text.split("\\n");
  text = lines.pop();
  for (const line of lines) {
    const { id, method } = JSON.parse(line);
    if (id === undefined) continue;
    if (method === "tools/list") send(id, { tools: ${JSON.stringify(tools)} });
    else if (method === "initialize") {
      const serverInfo = { name: "e", version: "1" };
      send(id, { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo });
    } else console.log(JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32601, message: "no" } }));
  }
}`;
  const server = { command: Deno.execPath(), args: ["eval", program] };
  await using gateway = await openGateway({ servers: { e: server } });
  const env = { TOOLSCRIPT_GATEWAY_URL: gateway.url, TOOLSCRIPT_TOKEN: gateway.token };
  const at = { home: gateway.home, cwd: gateway.project, env, terminal: true };
  const { stdout } = await caught(["list", "e"], at);
  assert.match(stdout, /e\.go\\u000afs\.read_file/);
  assert.doesNotMatch(stdout, /^fs\.read_file/m);
  const json = await caught(["list", "e", "--json"], at);
  assert.equal(JSON.parse(json.stdout)[0].name, `e.go\n${FORGED}\nx`);
});
