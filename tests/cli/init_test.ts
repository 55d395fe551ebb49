/** `toolscript init`: what it writes, and what it takes from other clients. */

import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { loadConfig } from "#config";
import type { HttpServer, StdioServer } from "#packs";
import { caught } from "./io.ts";

type Files = Readonly<Record<string, string>>;

interface Folder extends AsyncDisposable {
  readonly cwd: string;
  readonly home: string;
  read(path: string): Promise<string>;
}

async function openFolder(files: Files, home: Files = {}): Promise<Folder> {
  const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "toolscript-init-" }));
  const folder = { cwd: join(root, "project"), home: join(root, "home") };
  for (const [base, all] of [[folder.cwd, files], [folder.home, home]] as const) {
    await Deno.mkdir(base);
    for (const [path, text] of Object.entries(all)) {
      await Deno.mkdir(dirname(join(base, path)), { recursive: true });
      await Deno.writeTextFile(join(base, path), text);
    }
  }
  return {
    ...folder,
    read: (path) => Deno.readTextFile(join(folder.cwd, path)),
    [Symbol.asyncDispose]: () => Deno.remove(root, { recursive: true }),
  };
}

Deno.test("init writes a valid configuration, once", async () => {
  await using folder = await openFolder({});
  const first = await caught(["init"], folder);
  assert.deepEqual([first.code, first.stdout], [
    0,
    ".onetool/onetool.yaml\n.onetool/.gitignore\n",
  ]);
  assert.match(first.stderr, /toolscript doctor/);
  const config = await loadConfig({ env: {}, ...folder });
  assert.deepEqual([config.warnings, config.servers], [[], []]);
  const text = await folder.read(".onetool/onetool.yaml");
  const [, schema = ""] = /\$schema=(\S+)/.exec(text) ?? [];
  assert.equal(JSON.parse(await folder.read(`.onetool/${schema}`)).title, "onetool.yaml");
  const uncommented = text.replaceAll(/^# (?=\S+:| {2})/gm, "").replace(/^.*\$schema.*$/m, "");
  await Deno.writeTextFile(join(folder.cwd, ".onetool/onetool.yaml"), uncommented);
  await Deno.writeTextFile(join(folder.cwd, ".onetool/secrets.yaml"), "DOCS_TOKEN: x\n");
  const loaded = await loadConfig({ env: { TOOLSCRIPT_TRUST: "all" }, ...folder });
  assert.deepEqual(
    [loaded.warnings, loaded.servers.length],
    [[], 2],
    "what is commented out works",
  );

  const again = await caught(["init"], folder);
  assert.deepEqual([again.code, again.stdout], [0, ""]);
  assert.match(again.stderr, /^Kept \.onetool\/onetool\.yaml: it exists already$/m);
  assert.equal(await folder.read(".onetool/onetool.yaml"), uncommented);
});

Deno.test("init adds missing lines to .gitignore", async () => {
  await using folder = await openFolder({ ".onetool/.gitignore": "/cache\nmine" });
  assert.equal((await caught(["init"], folder)).code, 0);
  const lines = (await folder.read(".onetool/.gitignore")).split("\n");
  assert.deepEqual(lines, [
    "/cache",
    "mine",
    "run/",
    "stats/",
    "tmp/",
    "secrets.yaml",
    "__pycache__/",
    "",
  ]);
});

const CLIENTS: Files = {
  ".mcp.json": `{ "mcpServers": {
    "memory": { "command": "npx", "args": ["-y", "m", "--api-key", "sk_one", "--token=sk_two"] },
    "__proto__": { "command": "x" },
    "tools": { "command": "y", "env": { "N": 1 } },
    "toolscript": { "command": "toolscript", "args": ["mcp"] },
    "nothing": {} } }`,
  ".cursor/mcp.json": `{ // with comments
    "mcpServers": {
      "memory": { "command": "other" },
      "My Docs": { "url": "https://example.com/mcp?api_key=k_docs&x=1",
        "headers": { "Authorization": "Bearer b_docs", "X-Plain": "p" } },
      "own": { "command": "\${workspaceFolder}/bin/own", "args": ["\${env:HOME}", "\${command:pick}", "\${"],
        "env": { "OWN_TOKEN": "t_own", "OTHER_TOKEN": "\${env:MISSING}" } }, }, }`,
  ".vscode/mcp.json": `{ "inputs": [], "servers": {
    "asks": { "type": "stdio", "command": "z", "env": { "KEY": "\${input:api-key}" } } } }`,
};

Deno.test("init imports the servers of other clients, with separate secrets", async (t) => {
  await using folder = await openFolder(CLIENTS, {
    ".config/Claude/claude_desktop_config.json": '{"mcpServers": {"desk": {"command": "d"}}}',
  });
  const env = { HOME: folder.home };
  const argv = ["init", "--json", "--claude-desktop"];
  const { code, stdout, stderr } = await caught(argv, { ...folder, env });
  assert.equal(code, 0, stderr);
  const report = JSON.parse(stdout);
  const text = await folder.read(".onetool/onetool.yaml");
  const config = await loadConfig({ env: { ...env, TOOLSCRIPT_TRUST: "all" }, ...folder });
  const server = (name: string) => config.servers.find((each) => each.name === name);

  await t.step("imported and omitted servers", () => {
    const onLinux = Deno.build.os === "linux" ? ["desk"] : [];
    assert.deepEqual(
      report.servers.map(({ name }: { name: string }) => name),
      ["memory", "__proto__", "tools-server", "My-Docs", "own", "asks", ...onLinux],
    );
    assert.deepEqual(
      report.left.map(({ name, why }: { name: string; why: string }) => [name, why]),
      [
        ["toolscript", "it is Toolscript itself"],
        ["nothing", "it has neither a command nor a url"],
        ["memory", "another server has this name"],
      ],
    );
    assert.deepEqual(config.warnings, []);
  });
  await t.step("secrets", async () => {
    for (const secret of ["sk_one", "sk_two", "k_docs", "b_docs", "t_own"]) {
      assert.ok(!text.includes(secret) && !stderr.includes(secret) && !stdout.includes(secret));
      assert.ok(config.secrets.some((value) => value.includes(secret)), secret);
    }
    const { mode } = await Deno.stat(join(folder.cwd, ".onetool/secrets.yaml"));
    assert.equal((mode ?? 0) & 0o777, 0o600);
    const { args } = server("memory") as StdioServer;
    assert.deepEqual(args, ["-y", "m", "--api-key", "sk_one", "--token=sk_two"]);
    const { url, headers } = server("My-Docs") as HttpServer;
    assert.equal(url, "https://example.com/mcp?api_key=k_docs&x=1");
    assert.deepEqual(headers, { Authorization: "Bearer b_docs", "X-Plain": "p" });
  });
  await t.step("references", () => {
    assert.deepEqual((server("own") as StdioServer).command, join(folder.cwd, "bin/own"));
    assert.match(text, /- \$\{HOME\}\n {6}- \$\$\{command:pick\}\n {6}- \$\$\{\n/);
    assert.deepEqual([server("own")?.enabled, server("asks")?.enabled], [false, false]);
    assert.match(stderr, /"own" is switched off: set the variable MISSING first/);
    assert.match(stderr, /"asks" is switched off: set the secret API_KEY first/);
  });
});

Deno.test("init continues when a file of a client or the secrets cannot be read", async (t) => {
  await t.step("a client's file", async () => {
    await using folder = await openFolder({ ".cursor/mcp.json": "{ nope" });
    const { code, stderr } = await caught(["init", "--claude-desktop"], folder);
    assert.equal(code, 0);
    assert.match(
      stderr,
      /Cannot take servers from ".*\.cursor\/mcp\.json": 1:3: invalid symbol: correct/,
    );
    assert.match(stderr, /Cannot take servers from ".*claude_desktop_config\.json": no such file/);
  });
  const mcp = '{"mcpServers": {"a": {"command": "x", "env": {"A_TOKEN": "new", "B_TOKEN": "b"}}}}';
  await t.step("existing secrets are kept", async () => {
    const files = { ".mcp.json": mcp, ".onetool/secrets.yaml": "# mine\nA_TOKEN: old" };
    await using folder = await openFolder(files);
    await Deno.chmod(join(folder.cwd, ".onetool/secrets.yaml"), 0o600);
    assert.equal((await caught(["init"], folder)).code, 0);
    assert.equal(
      await folder.read(".onetool/secrets.yaml"),
      "# mine\nA_TOKEN: old\nA_TOKEN_2: new\nB_TOKEN: b\n",
    );
  });
  await t.step("secrets that are no map", async () => {
    const files = { ".mcp.json": mcp, ".onetool/secrets.yaml": "[1]" };
    await using folder = await openFolder(files);
    const { code, stderr } = await caught(["init"], folder);
    assert.equal(code, 1);
    assert.match(stderr, /Cannot add secrets to ".*": it is not a plain map/);
    assert.equal(await folder.read(".onetool/secrets.yaml"), "[1]");
  });
});
