/** TSX: the tools of real MCP servers, through `POST /run`. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { openGateway } from "../support/gateway.ts";
import { pinnedCommand } from "../support/servers.ts";

const IMPORT = 'import { tools, ToolError } from "toolscript";\n';

Deno.test("TSX-16 to TSX-32 a toolscript calls the tools of real servers", async (t) => {
  const folder = await Deno.makeTempDir();
  await Deno.writeTextFile(join(folder, "note.md"), "# Atlas\nby @ana");
  await using gateway = await openGateway({
    servers: {
      everything: pinnedCommand("everything"),
      filesystem: pinnedCommand("filesystem", [folder]),
      memory: {
        ...pinnedCommand("memory"),
        env: { MEMORY_FILE_PATH: join(folder, "graph.jsonl") },
      },
    },
  });
  await gateway.ready();

  await t.step("TSX-16 clean import syntax", async () => {
    const reply = await gateway.run(`${IMPORT}await tools.everything.echo({ message: "hi" })`);
    assert.equal(reply.value, "Echo: hi", reply.text);
    assert.equal(reply.calls, 1);
  });

  await t.step("TSX-18 type-safe imports: names, arguments and results are checked", async () => {
    const wrong: [string, RegExp][] = [
      ["tools.everything.ecko({ message: 'x' })", /ecko/],
      ["tools.everything.echo({ massage: 'x' })", /massage/],
      ["tools.everything.echo({ message: 5 })", /number/],
      ["tools.everything.echo()", /argument/],
      ["(await tools.memory.readGraph()).entitys", /entitys/],
    ];
    for (const [call, message] of wrong) {
      const reply = await gateway.run(`${IMPORT}${call}`);
      assert.equal(reply.error?.code, "type_error", `${call}: ${reply.text}`);
      assert.match(reply.text, message);
      assert.equal(reply.error?.line, 2);
      assert.equal(reply.calls, 0);
    }
  });

  await t.step("TSX-19, TSX-29 several servers in one program", async () => {
    const reply = await gateway.run(
      `${IMPORT}const path = Deno.args[0] + "/note.md";
const { content } = await tools.filesystem.readTextFile({ path });
const [title = ""] = content.split("\\n");
await tools.memory.createEntities({
  entities: [{ name: title.slice(2), entityType: "project", observations: [content] }],
});
const graph = await tools.memory.readGraph();
graph.entities.map(({ name, observations }) => [name, observations.length])`,
      { args: [folder] },
    );
    assert.deepEqual(reply.value, [["Atlas", 1]], reply.text);
    assert.equal(reply.calls, 3);
  });

  await t.step("TSX-20 both spellings of a tool reach it", async () => {
    const reply = await gateway.run(
      `${IMPORT}const args = { path: Deno.args[0] };
[await tools.filesystem.listDirectory(args), await tools.filesystem.list_directory(args)]`,
      { args: [folder] },
    );
    const [camel, original] = reply.value as { content: string }[];
    assert.match(camel?.content ?? "", /note\.md/);
    assert.deepEqual(camel, original);
  });

  await t.step("TSX-28 the call on the wire is server__tool, in events server.tool", async () => {
    const response = await gateway.post("/tools/everything__get-sum", { a: 2, b: 3 });
    assert.match(JSON.stringify(await response.json()), /sum of 2 and 3/);
    const called: unknown[] = [];
    for await (
      const event of gateway.stream(`${IMPORT}await tools.everything.getSum({ a: 2, b: 3 })`)
    ) {
      if (event.type === "call") called.push(event.tool);
    }
    assert.deepEqual(called, ["everything.get-sum"]);
  });

  await t.step("TSX-30 structured content is the value, without parsing by hand", async () => {
    const reply = await gateway.run(
      `${IMPORT}const weather = await tools.everything.getStructuredContent({ location: "Chicago" });
typeof weather.temperature`,
    );
    assert.equal(reply.value, "number", reply.text);
  });

  await t.step("TSX-31 an error of a tool is thrown as ToolError", async () => {
    const reply = await gateway.run(
      `${IMPORT}try {
  await tools.filesystem.readTextFile({ path: "/etc/hosts" });
} catch (error) {
  const { name, code, retryable, tool, details } = error;
  ({ known: error instanceof ToolError, name, code, retryable, tool, content: Array.isArray(details.content) });
  return { known: error instanceof ToolError, name, code, retryable, tool };
}`,
    );
    assert.deepEqual(reply.value, {
      known: true,
      name: "ToolError",
      code: "tool_error",
      retryable: false,
      tool: "filesystem.read_text_file",
    }, reply.text);
  });

  await t.step("TSX-31 uncaught, it ends the run with the author's line", async () => {
    const reply = await gateway.run(
      `${IMPORT}\nawait tools.filesystem.readTextFile({ path: "/etc/hosts" });`,
      { file: "report.ts" },
    );
    assert.equal(reply.ok, false);
    assert.equal(reply.error?.code, "tool_error");
    assert.equal(reply.error?.tool, "filesystem.read_text_file");
    assert.equal(reply.error?.line, 3, reply.text);
    assert.match(reply.text, /Access denied/);
  });

  await t.step("TSX-31 arguments that only dispatch can see are checked there", async () => {
    const reply = await gateway.run(
      `${IMPORT}const args: any = JSON.parse('{"message": 5}');\nawait tools.everything.echo(args);`,
    );
    assert.equal(reply.error?.code, "tool_error");
    assert.equal(reply.error?.details.code, "invalid_arguments");
    assert.match(reply.text, /everything\.echo\(message: string\)/);
  });

  await t.step("TSX-32 calls run in their order", async () => {
    const reply = await gateway.run(
      `${IMPORT}const seen: string[] = [];
for (const message of ["one", "two", "three"]) seen.push(await tools.everything.echo({ message }));
seen`,
    );
    assert.deepEqual(reply.value, ["Echo: one", "Echo: two", "Echo: three"]);
  });

  await t.step("RUN-48 abbreviated parameters reach a server's tool by its schema", async () => {
    const reply = await gateway.run(
      `${IMPORT}const args: any = { m: "short" };\nawait tools.everything.echo(args)`,
    );
    assert.equal(reply.value, "Echo: short");
  });

  await t.step("POST /tools/:name calls a tool directly", async () => {
    const response = await gateway.post("/tools/everything__echo", { message: "direct" });
    assert.deepEqual(await response.json(), { result: "Echo: direct" });
    const image = await gateway.post("/tools/everything__get-tiny-image", {});
    const { content } = await image.json();
    assert.ok(content.some((block: { type: string }) => block.type === "image"));
    const missing = await gateway.post("/tools/everything__ecko", {});
    assert.equal(missing.status, 404);
    const { error } = await missing.json();
    assert.equal(error.code, "unknown_tool");
    assert.equal(error.details.available[0], "echo");
    assert.equal(typeof error.details.total, "number");
  });

  await t.step("arguments: a prototype stays data, deep nesting is refused", async () => {
    const headers = { "content-type": "application/json" };
    const pollution = await gateway.fetch("/tools/everything__echo", {
      method: "POST",
      headers,
      body: '{"message": "x", "__proto__": {"polluted": true}}',
    });
    await pollution.body?.cancel();
    assert.equal(({} as Record<string, unknown>).polluted, undefined);
    const body = `{"message": ${"[".repeat(5000)}${"]".repeat(5000)}}`;
    const deep = await gateway.fetch("/tools/everything__echo", { method: "POST", headers, body });
    assert.equal(deep.status, 400);
    assert.equal((await deep.json()).error.code, "bad_request");
  });

  await Deno.remove(folder, { recursive: true });
});

Deno.test("TSX-13 a program sees the current tools", async () => {
  await using gateway = await openGateway({ servers: { everything: pinnedCommand("everything") } });
  // The server is still connecting: the run waits for it, since the program names it.
  const reply = await gateway.run(`${IMPORT}await tools.everything.getSum({ a: 1, b: 2 })`);
  assert.equal(reply.value, "The sum of 1 and 2 is 3.", reply.text);
});
