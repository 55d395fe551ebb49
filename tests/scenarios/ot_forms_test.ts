/** OT: parameters and results of the pack's functions, through `POST /run`. */

import assert from "node:assert/strict";
import { COLLECTION_STYLE, CORE_SCHEMA, eventsToAst, load, type Node, parseEvents } from "js-yaml";
import { serializeLookup } from "#runtime";
import { send } from "../support/commands.ts";
import { openGateway } from "../support/gateway.ts";
import { openLookups } from "./lookups.ts";

Deno.test("RUN-49 parameters of ot's tools are abbreviated", async (t) => {
  await using gateway = await openGateway({
    snippets: { firefly: { body: "1" }, other: { body: "2" } },
  });
  const rows: { command: string; whole: string }[] = [
    { command: 'ot.tools(p="fire")', whole: 'ot.tools({ pattern: "fire" })' },
    {
      command: 'ot.tools({ pat: "fire", i: "list" })',
      whole: 'ot.tools(pattern="fire", info="list")',
    },
    { command: 'ot.help(q="tools", i="list")', whole: 'ot.help(query="tools", info="list")' },
    { command: 'ot.snippets(p="fire")', whole: 'ot.snippets(pattern="fire")' },
    {
      command: 'const given = { ["p"]: "fire" } as any; ot.tools(given)',
      whole: 'ot.tools(pattern="fire")',
    },
  ];
  for (const { command, whole } of rows) {
    await t.step(command, async () => {
      const [short, long] = [await send(gateway, command), await send(gateway, whole)];
      assert.ok(short.ok, short.text);
      assert.deepEqual(short.value, long.value);
      assert.equal(short.text, long.text);
    });
  }
  await t.step("to a tool that takes them", async () => {
    const { value } = await send(gateway, 'ot.tools(p="firefly", i="list")');
    assert.deepEqual(value, ["snippets.firefly"]);
  });
});

/** How deep flow collections are nested in each other. */
function flowDepth(node: Node, depth = 0): number {
  if (node.kind !== "sequence" && node.kind !== "mapping") return depth;
  const own = node.style === COLLECTION_STYLE.FLOW || depth > 0 ? depth + 1 : 0;
  const inner = node.kind === "mapping" ? node.items.map(({ value }) => value) : node.items;
  return Math.max(own, ...inner.map((item) => flowDepth(item, own)));
}

Deno.test("OT-22 OT-23 a result of ot is readable YAML", async (t) => {
  await using gateway = await openLookups();
  const commands = [
    'ot.tools(pattern="everything", info="full")',
    'ot.packs(info="full")',
    'ot.snippets(info="full")',
    'ot.aliases(info="full")',
    "ot.config()",
    "ot.health().proxy",
  ];
  for (const command of commands) {
    await t.step(`OT-23 ${command}`, async () => {
      const { value } = await send(gateway, command);
      const source = serializeLookup(value ?? null);
      assert.deepEqual(load(source), value);
      const [document] = eventsToAst(parseEvents(source, {}), { source, schema: CORE_SCHEMA });
      assert.ok(document?.contents && flowDepth(document.contents) <= 2, source);
    });
  }
  await t.step("OT-22 the reply is that text", async () => {
    const { text, value } = await send(gateway, "ot.health()");
    assert.deepEqual(Object.keys(load(text) as object), Object.keys(value as object));
  });
});
