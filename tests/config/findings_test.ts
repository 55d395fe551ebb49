import assert from "node:assert/strict";
import { openProject } from "./project.ts";

const MAIN = ".onetool/onetool.yaml";

interface Row {
  readonly name: string;
  readonly text: string;
  readonly files?: Record<string, string>;
  /** Part of what the finding says, position first. */
  readonly finds: RegExp;
}

const ERRORS: readonly Row[] = [
  { name: "bad YAML", text: "servers: {\n", finds: /^.onetool\/onetool.yaml:\d+:\d+ .*YAML/ },
  { name: "a tab", text: "servers:\n\ta: 1", finds: /:2:1 .*[Tt]ab.*\| Indent with spaces/ },
  { name: "a key twice", text: "alias: {}\nalias: {}", finds: /:2:1 .*unique.*\| Remove one/ },
  { name: "a list for the file", text: "- a", finds: /:1:1 .*must be a map/ },
  {
    name: "text for a number",
    text: "sandbox:\n  timeout: soon",
    finds: /:2:12 Cannot take "sandbox.timeout": it must be a number .* not the text "soon"/,
  },
  {
    name: "a number in quotes",
    text: 'sandbox: { calls: "5" }',
    finds: /:1:19 .*whole number.*\| Remove the quotes/,
  },
  {
    name: "a number out of range",
    text: "gateway: { port: 70000 }",
    finds: /:1:18 .*from 0 to 65535, not 70000/,
  },
  { name: "half a port", text: "gateway: { port: 1.5 }", finds: /:1:18 .*whole number/ },
  { name: "zero for auto", text: "sandbox: { pool: 0 }", finds: /:1:18 .*from 1 to 1024/ },
  { name: "neither count nor auto", text: "sandbox: { pool: many }", finds: /:1:18 .*or "auto"/ },
  {
    name: "text for a flag",
    text: "stats: { enabled: yes }",
    finds: /:1:19 .*true or false, not the text "yes"/,
  },
  {
    name: "a mode of a built-in pack that does not exist",
    text: "packs: { git: { enabled: maybe } }",
    finds: /:1:26 .*true, false or "auto", not the text "maybe"/,
  },
  {
    name: "an unknown choice",
    text: "sandbox: { check: stict }",
    finds: /:1:19 .*"warn" or "strict".*\| Did you mean "strict"\?/,
  },
  {
    name: "RUN-29 aliases in a circle",
    text: "alias:\n  ws: brave.web_search\n  a: b\n  b: c\n  c: a",
    finds: /:3:6 Cannot take the alias "a": .*\(a → b → c → a\) \| Let one of them name a tool/,
  },
  {
    name: "RUN-29 an alias of itself",
    text: "alias: { w: w }",
    finds: /:1:13 Cannot take the alias "w": it leads back to itself \(w → w\)/,
  },
  {
    name: "RUN-29 aliases in a circle over two files",
    text: "include: [more.yaml]\nalias: { a: b }",
    files: { ".onetool/more.yaml": "alias: { b: a }" },
    finds: /more.yaml:1:13 Cannot take the alias "b": .*\(b → a → b\)/,
  },
  {
    name: "RUN-30 an alias to nothing",
    text: "alias: { search: ot.help, s: serach }",
    finds: /:1:30 Cannot take the alias "s": "serach" is neither .*\| Did you mean "search"\?/,
  },
  {
    name: "RUN-30 an alias to a pack alone",
    text: "alias: { s: brave }",
    finds: /:1:13 .*"brave" is neither pack.tool nor an alias \| Write pack.tool/,
  },
  {
    name: "RUN-30 an alias to a pack that is not there",
    text: "servers: { github: { command: x } }\nalias: { s: githib.search }",
    finds: /:2:13 .*no server and no pack is called "githib" \| Did you mean "github"\?/,
  },
  {
    name: "RUN-30 an alias to a pack like no other",
    text: "alias: { s: zzyzx.go }",
    finds: /:1:13 .*called "zzyzx" \| Add the server "zzyzx", or name another/,
  },
  {
    name: "text for a list",
    text: "security: { ask: x }",
    finds: /:1:18 .*a list, not the text "x".*\| Write "ask: \[x\]"/,
  },
  { name: "a list for a map", text: "servers: [a]", finds: /:1:10 .*a map, not a list/ },
  {
    name: "a server's name",
    text: "servers:\n  my server: { command: x }",
    finds: /:2:3 .*"my server".*letters, digits/,
  },
  {
    name: "a server with the name of a pack that is always there",
    text: "servers:\n  ot: { command: x }",
    finds: /:2:3 Cannot take server "ot": .*through which an agent.*\| Rename it, to "ot-server"/,
  },
  {
    name: "a server called tools",
    text: 'servers:\n  tools: { url: "http://localhost" }',
    finds: /:2:3 Cannot take server "tools": .*holds every pack/,
  },
  {
    name: "a server without anything",
    text: "servers:\n  a: {}",
    finds: /:2:3 Cannot take server "a": it has no command/,
  },
  {
    name: "a server with both",
    text: 'servers:\n  a: { command: x, url: "http://x" }',
    finds: /:2:25 .*"servers.a.url": it has both/,
  },
  {
    name: "a server of a type without its url",
    text: "servers: { a: { type: http, command: x } }",
    finds: /"servers.a.type": it has no url|server "a"/,
  },
  {
    name: "an invalid address",
    text: 'servers:\n  a: { url: "ftp://x" }',
    finds: /:2:13 .*"servers.a.url": it is no http address/,
  },
  ...["!get_*", "!(a|b)", "[^a]*", "\\\\*x"].map((pattern) => ({
    name: `a filter of another form, ${pattern}`,
    text: `servers: { a: { command: x, exclude: ["a", "${pattern}"] } }`,
    finds: /servers.a.exclude.*a pattern has a form of paths/,
  })),
  {
    name: "a filter with too many alternatives",
    text: `servers: { a: { command: x, include: ["${"{a,b}".repeat(17)}"] } }`,
    finds: /servers.a.include.*a pattern has too many alternatives/,
  },
  {
    name: "a header with a line break",
    text: 'servers: { a: { url: "http://x", headers: { A: "b\\nC: d" } } }',
    finds: /servers.a.headers.*"A" is no header/,
  },
  {
    name: "a variable that is missing",
    text: 'servers:\n  a:\n    command: "${NOPE}"',
    finds: /:3:14 Cannot read "\$\{NOPE\}": no such .*\| Set NOPE, or write "\$\{NOPE:-default\}"/,
  },
  {
    name: "a secret that is missing",
    text: 'servers: { a: { command: "${secret:NOPE}" } }',
    finds: /:1:26 .*no such secret \| Add "NOPE: …" to the secrets.yaml/,
  },
  {
    name: "an invalid reference",
    text: 'servers: { a: { command: "${a b" } }',
    finds: /not a reference \| .*"\$\$\{"/,
  },
  {
    name: "an include that is not there",
    text: "include: [x.yaml]",
    finds: /:1:11 .*no such file/,
  },
  {
    name: "includes in a circle",
    text: "include: a.yaml",
    files: { ".onetool/a.yaml": "\ninclude: onetool.yaml" },
    finds: /^.onetool\/a.yaml:2:10 Cannot include "onetool.yaml": it includes itself/,
  },
  {
    name: "an error in an included file",
    text: "include: a.yaml",
    files: { ".onetool/a.yaml": "\nsandbox: 3" },
    finds: /^.onetool\/a.yaml:2:10 Cannot take "sandbox"/,
  },
  {
    name: "a secret that is no text",
    text: "alias: {}",
    files: { ".onetool/secrets.yaml": "A: [1]" },
    finds: /^.onetool\/secrets.yaml:1:1 Cannot take the secret "A"/,
  },
  {
    name: "a bomb of aliases",
    text: ["a: &a [1,1,1,1,1,1,1,1,1,1]", ..."bcdefgh"].map((key, i, all) =>
      i === 0 ? key : `${key}: &${key} [${Array(10).fill(`*${i === 1 ? "a" : all[i - 1]}`)}]`
    ).join("\n"),
    finds: /over 100000 values/,
  },
  {
    name: "a long text of many aliases",
    text: `servers: { s: { command: x, args: [&x ${"a".repeat(9e4)}${", *x".repeat(90)}] } }`,
    finds: /over 4000000 characters in all/,
  },
  {
    name: "a long key of many aliases",
    text: `alias: { a: &x { ${"a".repeat(9e4)}: b }${
      Array.from({ length: 90 }, (_, at) => `, k${at}: *x`).join("")
    } }`,
    finds: /over 4000000 characters in all/,
  },
  ...["blocked", "ask", "warned", "allow"].flatMap((list) => [
    {
      name: `a list ${list} without an end`,
      text: `security: { ${list}: [&x a*${", *x".repeat(1_000)}] }`,
      finds: new RegExp(`Cannot take "security.${list}": it has over 1000 items`),
    },
    {
      name: `a long pattern in ${list}`,
      text: `security: { ${list}: ["*${"a".repeat(256)}"] }`,
      finds: new RegExp(`Cannot take "security.${list}.0": it has over 256 characters`),
    },
  ]),
  {
    name: "rules without an end",
    text: `security: { rules: [&x { tool: a, then: ask }${", *x".repeat(1_000)}] }`,
    finds: /Cannot take "security.rules": it has over 1000 items/,
  },
  {
    name: "a long pattern in a rule",
    text: `security: { rules: [{ tool: "*${"a".repeat(256)}", then: ask }] }`,
    finds: /Cannot take "security.rules.0.tool": it has over 256 characters/,
  },
  {
    name: "an alias inside itself",
    text: "alias: &a { x: *a }",
    finds: /stands inside what it names/,
  },
  { name: "deep nesting", text: "[".repeat(500), finds: /YAML|nested deeper/ },
];

Deno.test("loadConfig() reports each error with its place and what to do", async (t) => {
  for (const { name, text, files, finds } of ERRORS) {
    await t.step(name, async () => {
      await using it = await openProject({ [MAIN]: text, ...files });
      const findings = await it.findings();
      assert.ok(findings.some((line) => finds.test(line)), findings.join("\n"));
    });
  }
});

Deno.test("RUN-29 loadConfig() tells a circle of aliases once", async () => {
  await using it = await openProject({ [MAIN]: "alias: { a: b, b: c, c: a, d: a, e: d }" });
  assert.equal((await it.findings()).length, 1);
});

Deno.test("RUN-30 loadConfig() takes an alias to any pack that there can be", async () => {
  const alias = {
    builtin: "brave.web_search",
    own: "ot.help",
    projects: "proj.list",
    snippet: "snippets.wsq",
    server: "my-files.read",
    camel: "myFiles.read",
    snake: "my_files.read",
    off: "off.any",
    pack: "weather.now",
    named: "wind.now",
    home: "tides.next",
    chained: "server",
    constructor: "chained",
  };
  await using it = await openProject({
    [MAIN]: JSON.stringify({
      alias,
      servers: { "my-files": { command: "x" }, off: { command: "x", enabled: false } },
    }),
    ".onetool/tools/weather/weather_tools.ts": "export function now() {}",
    ".onetool/tools/air/air_tools.py": 'pack = "wind"\ndef now(): pass',
    "~/.onetool/tools/tides/tides_tools.ts": "export function next() {}",
  });
  assert.deepEqual((await it.load()).alias, alias);
});

Deno.test("loadConfig() names the place in .mcp.json, tabs and all", async () => {
  await using it = await openProject({
    ".mcp.json": '{\n\t"mcpServers": {\n\t\t"a": { "command": ["npx"] }\n\t}\n}',
  });
  const [finding] = await it.findings();
  assert.match(finding ?? "", /^\.mcp\.json:3:\d+ Cannot take "servers.a.command"/);
});

Deno.test("loadConfig() warns about unknown keys with the nearest known one", async () => {
  await using it = await openProject({
    [MAIN]: "securty: {}\nservers:\n  a: { command: x, evn: {} }\n",
  });
  const { warnings } = await it.load();
  assert.deepEqual(warnings.map(({ line, column, fix }) => [line, column, fix]), [
    [1, 1, 'Did you mean "security"?'],
    [3, 20, 'Did you mean "env"?'],
  ]);
});

Deno.test("loadConfig() does not check a server that is switched off", async () => {
  await using it = await openProject({
    [MAIN]: 'servers: { a: { url: "${NOPE}", enabled: false }, b: { disabled: true } }',
  });
  assert.deepEqual((await it.load()).servers.map(({ enabled }) => enabled), [false, false]);
});

Deno.test("loadConfig() never shows a secret in an error", async () => {
  await using it = await openProject({
    [MAIN]: 'sandbox: { timeout: "${secret:KEY}" }\nservers: { a: { url: "${secret:KEY}" } }',
    ".onetool/secrets.yaml": "KEY: hunter2",
  });
  const findings = await it.findings();
  assert.equal(findings.length, 2);
  assert.ok(!findings.join().includes("hunter2"), findings.join("\n"));
});

Deno.test("loadConfig() knows every key of the documented example", async () => {
  await using it = await openProject({
    [MAIN]: `
servers:
  github: { command: npx, args: [-y, "x"], env: { TOKEN: "\${TOKEN:-}" } }
  docs: { url: "https://example.com/mcp", headers: { Authorization: "Bearer x" },
    include: ["search*"], timeout: 30, idle_timeout: 600, keep_alive: false }
include: []
alias: { ws: brave.web_search }
snippets:
  wsq: { description: Compare, params: { q1: {}, p: { default: Compare } }, body: "\${x}" }
projects: { onetool: ~/projects/onetool, other: { path: ~/x, attrs: { a: [1] } } }
security: { enabled: true, blocked: [], ask: ["github.delete_*"], warned: [], allow: [], sanitize: off }
output: { max_inline_size: 50000, preview_lines: 10, result_ttl: 3600 }
stats: { enabled: true }
workers: { idle_timeout: 600 }
sandbox: { timeout: 60, cpu: 30, memory_mb: 512, output_mb: 4, calls: 1000, in_flight: 32,
  call_mb: 1, concurrent: auto, queue: 100, pool: auto }
notify: { topics: [{ pattern: "notes", file: notes.yaml }] }
gateway: { host: 127.0.0.1, port: 0 }
prompts: { instructions: hi, packs: { github: text } }
`,
  });
  assert.deepEqual((await it.load()).warnings, []);
});

Deno.test("patterns that would match nothing are errors, in lists, rules and effects", async (t) => {
  const rows = {
    "security: { ask: [a.b, '!a.*'] }": "security.ask.1",
    "security: { blocked: ['a.[^b]*'] }": "security.blocked.0",
    "security: { warned: ['a.(b|c)'] }": "security.warned.0",
    "security: { allow: ['@(a|b)'] }": "security.allow.0",
    "security: { ask: ['a.{b,c}'] }": "security.ask.0",
    "security: { ask: ['a.{b, c}'] }": "security.ask.0",
    "security: { ask: ['a.{b'] }": "security.ask.0",
    "security: { ask: ['a.[bc'] }": "security.ask.0",
    "security: { ask: ['a.b, a.c'] }": "security.ask.0",
    "security: { ask: ['a.b()'] }": "security.ask.0",
    "security: { rules: [{ tool: 'a.!(b)', then: ask }] }": "security.rules.0.tool",
    "security: { rules: [{ tool: 'a.{b,c}', then: ask }] }": "security.rules.0.tool",
    "packs: { file: { effects: { '\\d': read } } }": "packs.file.effects.\\d",
    "packs: { own: { effects: { '!d': read } } }": "packs.own.effects.!d",
    "servers: { a: { command: x, effects: { '{b,c}': read } } }": "servers.a.effects.{b,c}",
  };
  for (const [text, path] of Object.entries(rows)) {
    await t.step(text, async () => {
      await using it = await openProject({ [MAIN]: text });
      const findings = (await it.findings()).join("\n");
      assert.ok(
        findings.includes(`Cannot take "${path}": a pattern has a form of paths`),
        findings,
      );
    });
  }
});

Deno.test("patterns that can match are taken", async () => {
  const config = {
    security: {
      ask: ["a.b*", "[ab]", "[!ab]?", "node:fs", "@scope/x", "a.[]]"],
      warned: ["b.[a-c]x"],
    },
    servers: { a: { command: "x", include: ["{b, c}_*", "d"], effects: { "b[cd]*": "read" } } },
  };
  await using it = await openProject({ [MAIN]: JSON.stringify(config) });
  assert.equal((await it.load()).servers.length, 1);
});

Deno.test("a long pattern is looked at in time that grows with it", async () => {
  const include = ["[".repeat(100_000) + "a", `[${"[".repeat(100_000)}]`];
  await using it = await openProject({
    [MAIN]: JSON.stringify({ servers: { a: { command: "x", include } } }),
  });
  assert.match((await it.findings()).join(), /a pattern has a form of paths/);
});
