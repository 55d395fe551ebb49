/** Schemas and names that were made to do harm: whatever a server sends, the generated modules hold
 * types and tables, compile, and nothing of theirs gets out of its string or comment. */

import assert from "node:assert/strict";
import { parse } from "@babel/parser";
import { checkFiles, generatorOf, packOf, writeModules } from "../../support/generated.ts";

/** Texts that end comments, strings, types and files, each followed by code that would show. */
const PAYLOADS = [
  "*/ } PWNED(); /*",
  "*\u0000/ PWNED() /*",
  "* / *\u200b/ *\u202e/ PWNED() /*",
  '"; PWNED(); "',
  "'; PWNED(); '",
  "`${PWNED()}`",
  "\\",
  '\\"; PWNED(); //',
  "a\nPWNED()\n",
  "a\r\nPWNED()",
  "a\u2028PWNED()\u2029PWNED()",
  "@ts-expect-error\n@ts-ignore\n * @ts-nocheck",
  "@deprecated {@link PWNED} @type {import('file:///etc/passwd')}",
  "/// <reference path='/etc/passwd' />",
  "</script><!-- --> <!-- PWNED()",
  "\u202eevil\u202c \u{e0041}\u{e0042} \ufeff",
  "\ud800 lone \udc00",
  "__proto__",
  "constructor",
  "prototype",
  "then",
  "toString",
  "",
  " ",
  "0",
  "-1",
  "1e999",
  "[key: string]: PWNED",
  "x".repeat(100_000),
  "🚀 größe 読む",
];

const json = (text: string): unknown => JSON.parse(text);

function deep(levels: number, wrap: (inner: unknown) => unknown): unknown {
  let schema: unknown = { type: "string" };
  for (let level = 0; level < levels; level++) schema = wrap(schema);
  return schema;
}

function chain(count: number, link: (next: string) => unknown): unknown {
  const entries = Array.from({ length: count }, (_, index) => {
    return [`d${index}`, link(`#/$defs/d${(index + 1) % count}`)];
  });
  return { $ref: "#/$defs/d0", $defs: Object.fromEntries(entries) };
}

const letters = (prefix: string): unknown => ({
  anyOf: Array.from({ length: 30 }, (_, at) => ({ properties: { [`${prefix}${at}`]: {} } })),
});

const SCHEMAS: Record<string, unknown> = {
  "not an object": 42,
  null: null,
  true: true,
  false: false,
  array: [],
  string: "string",
  "only type": { type: "object" },
  "unknown type": { type: "PWNED" },
  "type of everything": { type: ["object", "array", 7, null, "string", {}] },
  "nested proto": json('{"type":"object","properties":{"__proto__":{"type":"string"}}}'),
  "proto at the root": json('{"__proto__":{"type":"string"},"properties":{"a":{"$ref":"#/x"}}}'),
  "nonsense in every keyword": {
    type: "object",
    properties: { a: { enum: "x", anyOf: {}, allOf: 3, oneOf: [], items: 7, required: "a" } },
    required: [1, {}, "b", "b", "toString"],
    additionalProperties: "PWNED",
    $defs: [],
  },
  "ten thousand deep objects": deep(10_000, (inner) => ({ properties: { a: inner } })),
  "ten thousand deep arrays": deep(10_000, (items) => ({ type: "array", items })),
  "ten thousand deep unions": deep(10_000, (inner) => ({ anyOf: [inner, { type: "null" }] })),
  "ten thousand properties": {
    properties: Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`p${at}`, {}])),
  },
  "ten thousand values": { properties: { a: { enum: Array.from(Array(10_000).keys()) } } },
  "ten thousand choices": { anyOf: Array.from(Array(10_000).keys()).map((at) => ({ const: at })) },
  "itself": { $ref: "#" },
  "itself below": { properties: { a: { $ref: "#" }, b: { items: { $ref: "#" } } } },
  "a pure circle": chain(3, ($ref) => ({ $ref })),
  "a circle of unions": chain(5, ($ref) => ({ anyOf: [{ $ref }, { type: "string" }] })),
  "a circle of intersections": chain(5, ($ref) => ({ allOf: [{ $ref }, { properties: {} }] })),
  "a circle of objects": chain(500, ($ref) => ({ properties: { next: { $ref } } })),
  "a long chain of unions": chain(150, ($ref) => ({ oneOf: [{ $ref }, { const: 1 }] })),
  "a product of unions": { allOf: Array.from("abcdefgh").map(letters) },
  "a product through references": {
    allOf: Array.from("abcdefgh").map((name) => ({ $ref: `#/$defs/${name}` })),
    $defs: Object.fromEntries(Array.from("abcdefgh").map((name) => [name, letters(name)])),
  },
  "references elsewhere": {
    properties: {
      a: { $ref: "http://127.0.0.1:9/schema.json" },
      b: { $ref: "file:///etc/passwd" },
      c: { $ref: "/etc/passwd#/a" },
      d: { $ref: "#/$defs/missing" },
      e: { $ref: "#/%E0%A4%A" },
      f: { $ref: "#/__proto__/constructor" },
      g: { $ref: 7 },
      h: { $ref: "#anchor" },
      i: { $dynamicRef: "#x" },
    },
  },
  "code by another name": {
    tsType: "PWNED",
    properties: { a: { tsType: "PWNED()", tsEnumNames: ["PWNED"] } },
  },
  "numbers that are none": json('{"properties":{"a":{"enum":[1e999,-1e999,-0,1e-7,1e21]}}}'),
  "names of definitions": {
    properties: { a: { $ref: "#/$defs/string" }, b: { $ref: "#/$defs/a~1b" } },
    $defs: { string: { type: "object", properties: {} }, "a/b": { type: "array" } },
  },
};

/** A payload at every place where a server's text is taken. */
function poisoned(text: string): Record<string, unknown> {
  const schema = {
    type: "object",
    title: text,
    description: text,
    properties: {
      [text]: { type: "string", description: text, default: text, pattern: text, format: text },
      value: { enum: [text, { [text]: text }], default: { [text]: text }, description: text },
      fixed: { const: text, title: text },
      other: { $ref: text },
      local: { $ref: `#/$defs/${text.replaceAll("~", "~0").replaceAll("/", "~1")}` },
    },
    required: [text, "value"],
    $defs: { [text]: { type: "object", properties: { [text]: {} }, description: text } },
  };
  return {
    name: text,
    title: text,
    description: text,
    inputSchema: schema,
    outputSchema: schema,
    annotations: { title: text },
  };
}

const STATEMENTS = new Set([
  "ExportNamedDeclaration",
  "ImportDeclaration",
  "TSInterfaceDeclaration",
  "TSTypeAliasDeclaration",
]);

/** Parses a generated module and looks at what it is made of. */
function inspect(path: string, text: string): void {
  const { program, comments } = parse(text, { sourceType: "module", plugins: ["typescript"] });
  for (const statement of program.body) assert.ok(STATEMENTS.has(statement.type), path);
  for (const comment of comments ?? []) {
    assert.doesNotMatch(comment.value, /(?:^|[\s*{/])@(?:ts-|type|import|link|jsx)/m, path);
    // deno-lint-ignore no-control-regex -- what must not be there
    assert.doesNotMatch(comment.value, /[\u0000-\u0008\u202a-\u202e\u2066-\u2069\u2028\u2029]/);
  }
  JSON.stringify(program, (key, value) => {
    if (key === "loc" || key.endsWith("omments")) return undefined;
    if (value?.type === "Identifier" && path !== "pack_proxy.ts") {
      assert.doesNotMatch(value.name, /^PWNED|etc/, path);
    }
    assert.ok(value?.type !== "CallExpression" || isOurCall(value.callee), path);
    assert.ok(value?.type !== "TSImportType", path);
    return value;
  });
}

/** `createTools(…)`, `createProj(JSON.parse(…))`. */
// deno-lint-ignore no-explicit-any -- a syntax tree as JSON
function isOurCall(callee: any): boolean {
  if (callee.type === "Identifier") return ["createTools", "createProj"].includes(callee.name);
  return callee.object.name === "JSON" && callee.property.name === "parse";
}

Deno.test("no text of a server gets out of its string or comment", async () => {
  const names = PAYLOADS.map((text) => packOf(text, PAYLOADS.map(poisoned)));
  const schemas = Object.entries(SCHEMAS).map(([name, schema]) => {
    return { name, inputSchema: schema, outputSchema: schema };
  });
  const generator = generatorOf([packOf("schemas", schemas), ...names.slice(0, 24)]);
  const files = new Map(generator.declarations());
  const filter = ["schemas__*", ...PAYLOADS];
  files.set("filtered", await generator.filtered("tools.ts", filter) ?? "");
  files.set("tools.ts", generator.file("tools.ts") ?? "");
  for (const [path, text] of files) {
    if (["pack_proxy.ts", "proj.ts", "lists.ts"].includes(path)) continue;
    inspect(path, text);
    assert.ok(text.isWellFormed(), path);
  }
  const folder = await Deno.makeTempDir();
  try {
    const paths = (await writeModules(generator, folder)).map((path) => `./${path}`);
    await Deno.writeTextFile(`${folder}/filtered.ts`, files.get("filtered") ?? "");
    assert.equal(await checkFiles(folder, [...paths, "./filtered.ts"]), "");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("a process loads only the gateway's code and a table of names", async () => {
  const names = PAYLOADS.map((text) => packOf(text, PAYLOADS.map((name) => ({ name }))));
  const generator = generatorOf(names.slice(0, 24));
  const text = generator.file("tools.js") ?? "";
  const { body } = parse(text, { sourceType: "module" }).program;
  assert.deepEqual(body.map(({ type }) => type), [
    ...Array.from({ length: 7 }, () => "VariableDeclaration"),
    "ExportNamedDeclaration",
  ]);
  const own = generatorOf([]).file("tools.js") ?? "";
  const ownBody = parse(own, { sourceType: "module" }).program.body;
  for (const at of [0, 1, 2, 3, 5, 6, 7]) {
    const [mine, theirs] = [ownBody[at], body[at]];
    assert.equal(
      text.slice(theirs?.start ?? 0, theirs?.end ?? 0),
      own.slice(mine?.start ?? 0, mine?.end ?? 0),
    );
  }
  const types = new Set<unknown>();
  JSON.stringify(body[4], (key, value) => {
    if (key === "type") types.add(value);
    return key === "loc" ? undefined : value;
  });
  assert.deepEqual([...types].sort(), [
    "ArrayExpression",
    "CallExpression",
    "Identifier",
    "MemberExpression",
    "StringLiteral",
    "VariableDeclaration",
    "VariableDeclarator",
  ]);
  const file = await Deno.makeTempFile({ suffix: ".js" });
  try {
    await Deno.writeTextFile(file, text);
    const module = await import(`file://${file}`);
    assert.deepEqual(Object.keys(module), [
      "ToolError",
      "inTurn",
      "proj",
      "snippets",
      "together",
      "tools",
    ]);
    const expression = generator.expression();
    const statements = text.slice(body[0]?.start ?? 0, body[7]?.start ?? 0);
    assert.ok(expression.startsWith(`(() => {\n${statements}return {`), expression.slice(0, 200));
    const { tools, ...others } = (0, eval)(expression);
    assert.deepEqual(Object.keys(others).sort(), [
      "ToolError",
      "inTurn",
      "proj",
      "snippets",
      "together",
    ]);
    assert.deepEqual(Object.keys(tools), Object.keys(module.tools));
  } finally {
    await Deno.remove(file);
  }
});

Deno.test("every schema becomes a type of bounded size, quickly", async (t) => {
  for (const [name, inputSchema] of Object.entries(SCHEMAS)) {
    await t.step(name, () => {
      const tool = { inputSchema };
      const text = generatorOf([packOf("p", [tool])]).file("types/p.ts") ?? "";
      assert.match(text, /tool\(args\??: ToolArgs, options\?: CallOptions\): Promise<any>/);
      assert.ok(text.length < 300_000, `${text.length} characters`);
    });
  }
});

Deno.test({
  name: "a reference is never fetched or read",
  permissions: { read: [new URL("../../../runtime/", import.meta.url)], net: false, env: false },
  fn() {
    const inputSchema = SCHEMAS["references elsewhere"];
    const text = generatorOf([packOf("p", [{ inputSchema, outputSchema: inputSchema }])])
      .file("types/p.ts") ?? "";
    assert.equal(text.match(/^ {2}[a-h]\?: unknown;$/gm)?.length, 8);
    assert.equal(text.match(/^ {2}[a-h]\?: any;$/gm)?.length, 8);
    assert.doesNotMatch(text, /passwd|127\.0\.0\.1|ToolArgs_/);
  },
});
