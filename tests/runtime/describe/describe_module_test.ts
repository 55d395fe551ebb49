/** From types and comments to tools, by the type checker. */

import assert from "node:assert/strict";
import { createModuleDescriber } from "#runtime";

const describe = createModuleDescriber({ deno: Deno.execPath() });
const { signal } = new AbortController();

async function toolsOf(text: string, files: Record<string, string> = {}) {
  const source = {
    entry: "x_tools.ts",
    files: new Map(Object.entries({ ...files, "x_tools.ts": text })),
  };
  const { tools, findings } = await describe(source, { signal });
  return { tools, findings, first: tools[0] };
}

const INPUTS: [string, string, unknown][] = [
  ["string", "a: string", { type: "string" }],
  ["literals", 'a: "x" | "y"', { type: "string", enum: ["x", "y"] }],
  ["a union", "a: string | number[]", {
    anyOf: [{ type: "string" }, { type: "array", items: { type: "number" } }],
  }],
  ["null", "a: string | null", { type: ["null", "string"] }],
  ["a map", "a: Record<string, boolean>", {
    type: "object",
    properties: {},
    additionalProperties: { type: "boolean" },
  }],
  ["a tuple", "a: [string, number?]", {
    type: "array",
    prefixItems: [{ type: "string" }, { type: "number" }],
    minItems: 1,
    maxItems: 2,
  }],
  ["a date", "a: Date", { type: "string", format: "date-time" }],
  ["an enum", "a: Color", { type: "string", enum: ["red", "blue"] }],
  ["any", "a: any", {}],
  ["unknown", "a: unknown", {}],
  ["an imported type", "a: Imported", {
    type: "object",
    properties: { deep: { type: "string", description: "How deep" } },
    required: ["deep"],
  }],
  ["a computed type", "a: Pick<Item, 'name'>", {
    type: "object",
    properties: { name: { type: "string", description: "Its name" } },
    required: ["name"],
  }],
  ["itself", "a: Item", { $ref: "#/$defs/Item" }],
];
const SHARED = `
import type { Imported } from "./types.ts";
enum Color { Red = "red", Blue = "blue" }
interface Item { /** Its name */ name: string; parts?: Item[] }
`;
const TYPES = { "types.ts": "export interface Imported { /** How deep */ deep: string }\n" };

for (const [name, parameter, expected] of INPUTS) {
  Deno.test(`a parameter's type becomes its schema: ${name}`, async () => {
    const text = `${SHARED}export function f(${parameter}, b: number): void {}\n`;
    const { first, findings } = await toolsOf(text, TYPES);
    assert.deepEqual(findings, []);
    const properties = first?.spec.inputSchema.properties as Record<string, unknown>;
    assert.deepEqual(properties.a, expected);
  });
}

Deno.test("comments, defaults and optional parameters are read", async () => {
  const { first } = await toolsOf(`
/**
 * Finds things.
 *
 * All of them.
 * @param query - What for
 */
export async function find(query: string, limit = 10, tags?: string[], ...more: number[]): Promise<{ total: number }> {
  return { total: limit };
}
`);
  assert.deepEqual(first, {
    spec: {
      name: "find",
      description: "Finds things.\n\nAll of them.",
      inputSchema: {
        type: "object",
        properties: {
          query: { type: "string", description: "What for" },
          limit: { type: "number", default: 10 },
          tags: { type: "array", items: { type: "string" } },
          more: { type: "array", items: { type: "number" } },
        },
        required: ["query"],
        additionalProperties: false,
      },
      outputSchema: {
        type: "object",
        properties: { total: { type: "number" } },
        required: ["total"],
      },
    },
    form: { kind: "positional", names: ["query", "limit", "tags", "more"], rest: true },
  });
});

Deno.test("one object parameter gives its properties as the parameters", async () => {
  const { first } = await toolsOf(`
export const f = ({ a, b = 2, mode = "x" }: {
  /** The first. @minimum 3 */
  a: number;
  /**
   * The second.
   * @minimum 0
   * @maximum 9
   */
  b?: number;
  mode?: "x" | "y";
}) => a + b + mode;
`);
  assert.deepEqual(first?.spec.inputSchema, {
    type: "object",
    properties: {
      a: { type: "number", description: "The first.", minimum: 3 },
      b: { type: "number", description: "The second.", minimum: 0, maximum: 9, default: 2 },
      mode: { type: "string", enum: ["x", "y"], default: "x" },
    },
    required: ["a"],
    additionalProperties: false,
  });
  assert.deepEqual(first?.form, { kind: "object" });
});

Deno.test("exported functions are tools in each form of export; other exports are not", async () => {
  const { tools } = await toolsOf(
    `
export function a() {}
export const b = async () => {};
function local() {}
export { local as c };
export { d } from "./other.ts";
export default function e() {}
export const text = "x";
export interface Shape { x: number }
export class Thing {}
function hidden() {}
`,
    { "other.ts": "/** From there */\nexport function d(x = 'y') { return x; }\n" },
  );
  assert.deepEqual(tools.map(({ spec }) => spec.name), ["a", "b", "c", "d"]);
  assert.equal(tools[3]?.spec.description, "From there");
  assert.deepEqual(tools[3]?.spec.inputSchema.properties, { x: { type: "string", default: "y" } });
});

Deno.test("problems have a line, and other functions stay tools", async (t) => {
  await t.step("a type error", async () => {
    const { tools, findings } = await toolsOf(
      "export const f = () => 1;\nexport const g = (a: string): number => a;\n",
    );
    assert.equal(tools.length, 2);
    assert.deepEqual(findings.map(({ severity, file, line }) => [severity, file, line]), [
      ["warning", "x_tools.ts", 2],
    ]);
  });
  await t.step("a syntax error", async () => {
    const { tools, findings } = await toolsOf("export const f = 1;\n\nexport function (\n");
    assert.deepEqual(tools, []);
    assert.deepEqual(findings.map(({ severity, line }) => [severity, line]), [["error", 3]]);
  });
  await t.step("a package that is nowhere", async () => {
    const { findings } = await toolsOf('import x from "nowhere";\nexport const f = () => x;\n');
    assert.match(findings[0]?.fix ?? "", /dependencies in the file's/);
  });
});

Deno.test("the checker sees only files of the pack", async () => {
  const { first } = await toolsOf(
    'import * as x from "/etc/passwd.ts";\nexport const f = (): typeof x => x;\n',
  );
  assert.deepEqual(first?.spec.outputSchema, undefined);
});
