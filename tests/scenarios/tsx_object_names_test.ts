/** TSX-19: tools that are called like what every object has, in scripts, commands and help. */

import assert from "node:assert/strict";
import { openGateway, type TestGateway } from "../support/gateway.ts";
import { fixture } from "../support/servers.ts";

const NAMES = [
  "toString",
  "valueOf",
  "toJSON",
  "then",
  "constructor",
  "hasOwnProperty",
  "isPrototypeOf",
  "toLocaleString",
  "__proto__",
  "__defineGetter__",
  "prototype",
  "length",
];
const IMPORT = 'import { tools } from "toolscript";\n';

async function open(): Promise<TestGateway> {
  const { command, args } = fixture("object-names");
  const server = { command, args: [...args, ...NAMES] };
  const gateway = await openGateway({ servers: { odd: server, toString: server, then: server } });
  await gateway.ready();
  return gateway;
}

Deno.test("TSX-19 tools with names that every object has", async (t) => {
  await using gateway = await open();
  const value = async (body: Record<string, unknown>) => {
    const reply = await (await gateway.post("/run", body)).json();
    assert.ok(reply.ok, reply.text);
    return reply.value;
  };
  for (const name of NAMES) {
    await t.step(`${name} by a computed name in a script`, async () => {
      const script = `${IMPORT}const [server, name] = ["odd", ${JSON.stringify(name)}];
        return await (tools as any)[server][name]({ a: 1 });`;
      assert.deepEqual(await value({ script }), [name, { a: 1 }]);
    });
    await t.step(`${name} by its own name in a script`, async () => {
      const script = `${IMPORT}return await tools.odd[${JSON.stringify(name)}]({ a: 1 });`;
      assert.deepEqual(await value({ script }), [name, { a: 1 }]);
    });
    await t.step(`${name} without arguments`, async () => {
      const script = `${IMPORT}return await tools.odd[${JSON.stringify(name)}]();`;
      assert.deepEqual(await value({ script }), [name, {}]);
    });
    await t.step(`${name} in a command`, async () => {
      assert.deepEqual(await value({ command: `odd.${name}(a=1)` }), [name, { a: 1 }]);
      const computed = `const name = ${JSON.stringify(name)}\n(tools.odd as any)[name]({ a: 1 })`;
      assert.deepEqual(await value({ command: computed }), [name, { a: 1 }]);
    });
    await t.step(`${name} as help shows it`, async () => {
      const help = await value({ command: `ot.help(query="odd.${name}")` });
      const [, example] = /^Example: (.*)$/m.exec(help) ?? [];
      assert.deepEqual(await value({ command: example }), [name, {}]);
    });
  }
  await t.step("a server with such a name", async () => {
    for (const server of ["toString", "then"]) {
      const script = `${IMPORT}const server: string = ${JSON.stringify(server)};
        return await (tools as any)[server].then({ a: 1 });`;
      assert.deepEqual(await value({ script }), ["then", { a: 1 }]);
    }
  });
});

Deno.test("TSX-19 the language itself calls no tool", async (t) => {
  await using gateway = await open();
  const uses: readonly [name: string, code: string][] = [
    ["await", "const pack = await tools.odd; return typeof pack"],
    ["await, then a call", "return (await (await tools.odd).length())[0] === 'length'"],
    ["Promise.resolve()", "await Promise.resolve(tools.odd); return 1"],
    ["Promise.all()", "await Promise.all([tools.odd, tools]); return 1"],
    ["an async function", "await (async () => tools.odd)(); return 1"],
    ["for await", "for await (const pack of [tools.odd]) void pack; return 1"],
    ["await tools", "await tools; return 1"],
    ["a template", "return `${tools.odd}${tools}`"],
    ["String()", "return String(tools.odd)"],
    ["+", "return (tools.odd as any) + ''"],
    ["a number", "return String(+(tools.odd as any))"],
    ["JSON.stringify()", "return JSON.stringify({ a: tools.odd, tools })"],
    ["structured output", "console.log(tools.odd, tools); return 1"],
    ["returned", "return tools.odd"],
    ["in a list", "return [tools.odd, { then: tools.odd }]"],
    ["thrown away", "tools.odd; return 1"],
    ["==", "return (tools.odd as any) == 'x'"],
    ["in", "return 'then' in tools.odd"],
  ];
  for (const [name, code] of uses) {
    await t.step(name, async () => {
      const reply = await gateway.run(IMPORT + code);
      assert.ok(reply.ok, reply.text);
      const expected = name === "await, then a call" ? 1 : 0;
      assert.equal(reply.calls, expected, reply.text);
    });
  }
});
