import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { openProject } from "./project.ts";

const MAIN = ".onetool/onetool.yaml";

Deno.test("loadConfig() without any file has every default", async () => {
  await using it = await openProject({});
  const config = await it.load();
  assert.equal(config.file, null);
  assert.equal(config.project, it.project);
  assert.deepEqual(config.servers, []);
  assert.equal(config.sandbox.timeoutMs, 60_000);
  assert.equal(config.sandbox.check, "warn");
  assert.deepEqual(config.gateway, {
    host: "127.0.0.1",
    port: 0,
    maxBodyBytes: 16 * 1024 * 1024,
    share: true,
    lingerMs: 60_000,
    graceMs: 10_000,
  });
  assert.ok(config.sandbox.concurrent >= 1 && config.sandbox.pool >= 1);
  assert.equal(dirname(config.cacheDir), join(it.home, ".onetool", "cache"));
  assert.deepEqual(config.warnings, []);
});

Deno.test("loadConfig() takes a server of each kind with its defaults", async () => {
  await using it = await openProject({
    [MAIN]: `servers:
  files: { command: npx, args: [-y, 8080, true], env: { PORT: 1e3 } }
  docs: { url: "https://example.com/mcp", headers: { A: b }, timeout: 1.5, include: ["s*"] }
  old: { type: sse, url: "http://localhost/sse" }
  new: { transport: streamable-http, url: "http://localhost/mcp" }
  off: { command: x, disabled: true }
`,
  });
  const { servers } = await it.load();
  assert.deepEqual(servers[0], {
    kind: "stdio",
    name: "files",
    enabled: true,
    external: false,
    learn: true,
    include: [],
    exclude: [],
    timeoutMs: 30_000,
    command: "npx",
    args: ["-y", "8080", "true"],
    env: { PORT: "1e3" },
    cwd: it.project,
    isDefaultCwd: true,
    idleTimeoutMs: 600_000,
    keepAlive: false,
  });
  assert.deepEqual(servers[1], {
    kind: "auto",
    name: "docs",
    enabled: true,
    external: true,
    learn: true,
    include: ["s*"],
    exclude: [],
    timeoutMs: 1_500,
    url: "https://example.com/mcp",
    headers: { A: "b" },
  });
  assert.deepEqual(servers.slice(2, 4).map(({ kind }) => kind), ["sse", "http"]);
  assert.equal(servers[4]?.enabled, false);
});

Deno.test("loadConfig() merges the project over the home, maps by key, lists whole", async () => {
  await using it = await openProject({
    "~/.onetool/onetool.yaml": `servers:
  shared: { command: home, args: [a, b], timeout: 5 }
  home: { command: h }
sandbox: { timeout: 10, cpu: 5 }
`,
    ".onetool/config/onetool.yaml": `servers:
  shared: { command: project, args: [c] }
sandbox: { timeout: 20 }
gateway:
`,
  });
  const config = await it.load();
  const shared = config.servers.find(({ name }) => name === "shared");
  assert.ok(shared?.kind === "stdio");
  assert.deepEqual([shared.command, shared.args, shared.timeoutMs], ["project", ["c"], 5_000]);
  assert.deepEqual(config.servers.map(({ name }) => name), ["shared", "home"]);
  assert.equal(config.sandbox.timeoutMs, 20_000);
  assert.equal(config.sandbox.cpuSeconds, 5);
  assert.equal(config.file, join(it.project, ".onetool/config/onetool.yaml"));
});

Deno.test("loadConfig() takes the file that was named, and it alone", async () => {
  await using it = await openProject({
    [MAIN]: "servers: { a: { command: x } }",
    "~/.onetool/onetool.yaml": "servers: { b: { command: x } }",
    "other.yaml": "servers: { c: { command: x } }",
  });
  for (
    const options of [{ explicit: "other.yaml" }, { env: { TOOLSCRIPT_CONFIG: "other.yaml" } }]
  ) {
    const config = await it.load(options);
    assert.deepEqual(config.servers.map(({ name }) => name), ["c"]);
    assert.equal(config.file, join(it.project, "other.yaml"));
  }
});

Deno.test("loadConfig() finds the project above the working directory, but not the home", async () => {
  await using it = await openProject({
    [MAIN]: "servers: { a: { command: x } }",
    "deep/er/x.txt": "",
    "~/.onetool/onetool.yaml": "servers: { h: { command: x } }",
    "~/code/x.txt": "",
  });
  const below = await it.load({ cwd: join(it.project, "deep/er") });
  assert.equal(below.project, it.project);
  const apart = await it.load({ cwd: join(it.home, "code") });
  assert.equal(apart.project, join(it.home, "code"));
  assert.deepEqual(apart.servers.map(({ name }) => name), ["h"]);
});

Deno.test("loadConfig() leaves Toolscript itself out of the servers of .mcp.json", async () => {
  const servers = {
    toolscript: { command: "/usr/bin/node", args: ["/opt/toolscript/npm/starter.cjs", "mcp"] },
    direct: { command: "toolscript", args: ["mcp"] },
    windows: { command: "C:\\Program Files\\toolscript.cmd", args: ["mcp"] },
    clone: { command: "deno", args: ["run", "-A", "/src/toolscript/main.ts", "mcp"] },
    other_deno: { command: "deno", args: ["run", "/src/weather/main.ts", "mcp"] },
    fetched: { command: "npx", args: ["-y", "toolscript@1.0.0", "mcp"] },
    other: { command: "npx", args: ["-y", "some-server", "mcp", "/home/toolscript"] },
  };
  await using it = await openProject({ ".mcp.json": JSON.stringify({ mcpServers: servers }) });
  const config = await it.load();
  assert.deepEqual(config.servers.map(({ name }) => name), ["other_deno", "other"]);
});

Deno.test("loadConfig() reads .mcp.json when the config names no servers", async () => {
  const mcp = JSON.stringify(
    {
      mcpServers: {
        local: { type: "stdio", command: "npx", args: ["x"], env: { T: "${T:-none}" } },
        remote: { type: "http", url: "https://x.test/mcp", oauth: { clientId: "1" } },
      },
      other: 1,
    },
    null,
    "\t",
  );
  await using it = await openProject({ ".mcp.json": mcp });
  const config = await it.load();
  assert.deepEqual(config.servers.map(({ name, kind }) => [name, kind]), [
    ["local", "stdio"],
    ["remote", "http"],
  ]);
  assert.equal(config.file, join(it.project, ".mcp.json"));
  assert.deepEqual(config.warnings, []);

  await using named = await openProject({
    ".mcp.json": mcp,
    [MAIN]: "mcpServers: { own: { command: x } }",
  });
  assert.deepEqual((await named.load()).servers.map(({ name }) => name), ["own"]);
});

Deno.test("loadConfig() merges what a file includes below it", async () => {
  await using it = await openProject({
    [MAIN]: "include: [parts/a.yaml, parts/b.yaml]\nsandbox: { calls: 3 }\n",
    ".onetool/parts/a.yaml": "include: c.yaml\nsandbox: { calls: 1, queue: 1, cpu: 1 }\n",
    ".onetool/parts/b.yaml": "sandbox: { calls: 2, queue: 2 }\n",
    ".onetool/parts/c.yaml": "sandbox: { cpu: 9, memory_mb: 99 }\n",
  });
  const { sandbox } = await it.load();
  assert.deepEqual(
    [sandbox.calls, sandbox.queue, sandbox.cpuSeconds, sandbox.memoryMb],
    [3, 2, 1, 99],
  );
});

Deno.test("loadConfig() replaces references once, and their values stay data", async () => {
  await using it = await openProject({
    [MAIN]: `servers:
  a:
    command: "\${CMD}"
    args: ["\${A}-\${B:-x}", "\${EMPTY:-dflt}", "\${EMPTY}", "$\${A}", "\${secret:KEY}"]
    env: { H: "\${secret:HOSTILE}" }
    timeout: "\${T}"
    keep_alive: "\${K}"
snippets:
  s: { body: "\`\${q}\` {{ x }}" }
`,
    ".onetool/secrets.yaml": 'KEY: s3cret\nHOSTILE: "\\"}\\n${A} *x &y !!z # {"\n',
  });
  const env = { CMD: "c: [x]\n${B}", A: "${secret:KEY}", EMPTY: "", T: "7", K: "true" };
  const [server] = (await it.load({ env })).servers;
  assert.ok(server?.kind === "stdio");
  assert.equal(server.command, "c: [x]\n${B}");
  assert.deepEqual(server.args, ["${secret:KEY}-x", "dflt", "", "${A}", "s3cret"]);
  assert.deepEqual(server.env, { H: '"}\n${A} *x &y !!z # {' });
  assert.equal(server.timeoutMs, 7_000);
  assert.equal(server.keepAlive, true);
});

Deno.test("loadConfig() looks for a project's secrets beside it, then for lent ones", async () => {
  await using it = await openProject({
    "~/.onetool/onetool.yaml": `servers: { h: { command: "\${secret:A}" } }
secrets: { lend: { B: ["~/../pro*"] } }`,
    "~/.onetool/secrets.yaml": "A: home\nB: only\n",
    [MAIN]: 'servers: { p: { command: "${secret:A} ${secret:B}" } }',
    ".onetool/secrets.yaml": "A: project\n",
  });
  const commands = (await it.load()).servers.map((one) => one.kind === "stdio" && one.command);
  assert.deepEqual(commands, ["home", "project only"]);
});

Deno.test("loadConfig() has the secrets of packs concealed, wherever they come from", async () => {
  await using it = await openProject({
    [MAIN]: `packs:
  weather: { secrets: { any: "\${KEY}" }, keywords: [ordinary] }
  db: { connections: { a: "postgres://me:pass%20word@host/base" } }
`,
  });
  assert.deepEqual((await it.load({ env: { KEY: "from-outside" } })).secrets, [
    "pass%20word",
    "pass word",
    "from-outside",
  ]);
});

Deno.test("loadConfig() expands paths", async () => {
  await using it = await openProject({
    [MAIN]: "servers: { a: { command: ~/bin/x, cwd: ~/w }, b: { command: ./y, cwd: sub } }",
  });
  const [a, b] = (await it.load()).servers;
  assert.ok(a?.kind === "stdio" && b?.kind === "stdio");
  assert.deepEqual([a.command, a.cwd], [join(it.home, "bin/x"), join(it.home, "w")]);
  assert.deepEqual([b.command, b.cwd], [join(it.project, "y"), join(it.project, "sub")]);
});

Deno.test("loadConfig() takes names that are special in JavaScript as data", async () => {
  await using it = await openProject({
    [MAIN]: `servers:
  __proto__: { command: x, env: { __proto__: y, constructor: z } }
  constructor: { command: x }
`,
  });
  const { servers } = await it.load();
  assert.deepEqual(servers.map(({ name }) => name), ["__proto__", "constructor"]);
  assert.ok(servers[0]?.kind === "stdio");
  assert.deepEqual(Object.entries(servers[0].env), [["__proto__", "y"], ["constructor", "z"]]);
});

Deno.test("loadConfig() knows anchors and merge keys", async () => {
  await using it = await openProject({
    [MAIN]: `servers:
  a: &base { command: x, timeout: 3 }
  b: { <<: *base, timeout: 4 }
`,
  });
  assert.deepEqual((await it.load()).servers.map(({ timeoutMs }) => timeoutMs), [3_000, 4_000]);
});
