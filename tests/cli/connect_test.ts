/** `toolscript connect` and `disconnect`: what they change in the files of clients, and what stays. */

import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { loadConfig } from "#config";
import { caught } from "./io.ts";

type Files = Readonly<Record<string, string>>;

interface Folder extends AsyncDisposable {
  readonly cwd: string;
  readonly home: string;
  pathOf(path: string): string;
  read(path: string): string;
  has(path: string): boolean;
  write(path: string, text: string): void;
  connect(...args: readonly string[]): ReturnType<typeof caught>;
  disconnect(...args: readonly string[]): ReturnType<typeof caught>;
}

const PROGRAM = ["/usr/bin/node", "/opt/toolscript/npm/starter.cjs"];

/** A project with files; names below `~/` lie in the home folder. */
function openFolder(files: Files): Folder {
  const root = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "toolscript-connect-" }));
  const [cwd, home] = [join(root, "project"), join(root, "home")];
  const pathOf = (path: string) =>
    path.startsWith("~/") ? join(home, path.slice(2)) : join(cwd, path);
  const folder = {
    cwd,
    home,
    pathOf,
    read: (path: string) => Deno.readTextFileSync(pathOf(path)),
    has(path: string) {
      try {
        Deno.lstatSync(pathOf(path));
        return true;
      } catch {
        return false;
      }
    },
    write(path: string, text: string) {
      Deno.mkdirSync(dirname(pathOf(path)), { recursive: true });
      Deno.writeTextFileSync(pathOf(path), text);
    },
    connect: (...args: readonly string[]) => run("connect", args),
    disconnect: (...args: readonly string[]) => run("disconnect", args),
    [Symbol.asyncDispose]: () => Deno.remove(root, { recursive: true }),
  };
  const env = { TOOLSCRIPT_TRUST: "" };
  const run = (command: string, args: readonly string[]) =>
    caught([command, ...args], { cwd, home, env, program: PROGRAM });
  for (const path of [cwd, home]) Deno.mkdirSync(path);
  for (const [path, text] of Object.entries(files)) folder.write(path, text);
  return folder;
}

const GITHUB = '{ "command": "npx", "args": ["-y", "github"], "env": { "GITHUB_TOKEN": "ghp_1" } }';
const MCP_JSON = `{
\t"mcpServers": { // all of them
\t\t"github": ${GITHUB}, // mine
\t\t/* off */ "old": { "command": "old" } // the last
\t},
\t"other": [1,2]
}
`;
const CODEX = `# settings
model = "o3" # fast

[mcp_servers.github]
command = "npx"
args = ["-y", "github"]
[mcp_servers.github.env]
GITHUB_TOKEN = "ghp_1"

[profiles.a]
model = "x"
`;

/** Every client's file, its text, and the file that connect writes by default. */
const CLIENT_FILES: Readonly<Record<string, readonly [path: string, text: string]>> = {
  "claude-code": [".mcp.json", '{\n  "mcpServers": {}\n}\n'],
  "claude-desktop": [
    "~/.config/Claude/claude_desktop_config.json",
    '{"mcpServers":{"a":{"command":"b"}}}',
  ],
  cursor: [".cursor/mcp.json", '{\r\n    "mcpServers": {\r\n    }\r\n}\r\n'],
  codex: ["~/.codex/config.toml", CODEX],
  vscode: [".vscode/mcp.json", '\uFEFF{ "inputs": [] }'],
  gemini: [".gemini/settings.json", '{ "theme": "x" }\n'],
  opencode: ["opencode.json", '{\n  // mine\n  "$schema": "x",\n}\n'],
  windsurf: ["~/.codeium/windsurf/mcp_config.json", ""],
  zed: [".zed/settings.json", '// Zed\n{\n  "context_servers": {\n    // none\n  }\n}\n'],
};

function rowsOf({ stdout }: { stdout: string }): Record<string, unknown>[] {
  return JSON.parse(stdout);
}

Deno.test("connect writes one entry into each client's file, and disconnect restores every byte", async () => {
  const files = Object.fromEntries(Object.values(CLIENT_FILES));
  await using folder = openFolder(files);
  const connected = await folder.connect("--json");
  assert.equal(connected.code, 0, connected.stderr);
  const rows = rowsOf(connected);
  assert.deepEqual(rows.map(({ client, action }) => [client, action]), [
    ...Object.keys(CLIENT_FILES).map((client) => [client, "added"]),
  ]);
  for (const [path] of Object.values(CLIENT_FILES)) {
    assert.match(folder.read(path), /starter\.cjs/, path);
    assert.equal(folder.read(`${path}.before-toolscript`), files[path], path);
  }
  const again = rowsOf(await folder.connect("--json"));
  assert.deepEqual(new Set(again.map(({ action }) => action)), new Set(["unchanged"]));
  const disconnected = rowsOf(await folder.disconnect("--json"));
  assert.deepEqual(new Set(disconnected.map(({ action }) => action)), new Set(["removed"]));
  for (const [path, text] of Object.values(CLIENT_FILES)) {
    assert.equal(folder.read(path), text, path);
    assert.equal(folder.has(`${path}.before-toolscript`), false, path);
  }
});

Deno.test("connect makes the files of clients that are named, and disconnect removes them", async () => {
  await using folder = openFolder({});
  const names = Object.keys(CLIENT_FILES);
  assert.equal((await folder.connect(...names)).code, 0);
  const expected = {
    command: PROGRAM[0],
    args: [PROGRAM[1], "mcp"],
  };
  assert.deepEqual(JSON.parse(folder.read(".mcp.json")).mcpServers.toolscript, {
    type: "stdio",
    ...expected,
    alwaysLoad: true,
  });
  assert.deepEqual(JSON.parse(folder.read(".cursor/mcp.json")).mcpServers.toolscript, expected);
  assert.deepEqual(JSON.parse(folder.read("opencode.json")).mcp.toolscript.command, [
    ...PROGRAM,
    "mcp",
  ]);
  assert.equal(
    folder.read("~/.codex/config.toml"),
    `[mcp_servers.toolscript]
command = "/usr/bin/node"
args = [ "/opt/toolscript/npm/starter.cjs", "mcp" ]
startup_timeout_sec = 30
tool_timeout_sec = 600
`,
  );
  const desktop = JSON.parse(folder.read("~/.config/Claude/claude_desktop_config.json"));
  assert.deepEqual(desktop.mcpServers.toolscript.args.slice(1), ["mcp", "--project", folder.cwd]);
  assert.equal((await folder.disconnect(...names)).code, 0);
  assert.deepEqual([...Deno.readDirSync(folder.cwd)], []);
  assert.deepEqual([...Deno.readDirSync(folder.home)].map(({ name }) => name), [".onetool"]);
});

Deno.test("connect keeps comments, order and format of all else", async () => {
  await using folder = openFolder({ ".mcp.json": MCP_JSON, "~/.codex/config.toml": CODEX });
  await folder.connect("claude-code", "codex");
  const text = folder.read(".mcp.json");
  const before = MCP_JSON.slice(0, MCP_JSON.indexOf(" // the last"));
  assert.ok(text.startsWith(`${before}, // the last\n\t\t"toolscript": {`), text);
  assert.ok(text.endsWith('}\n\t},\n\t"other": [1,2]\n}\n'), text);
  assert.ok(folder.read("~/.codex/config.toml").startsWith(`${CODEX}\n[mcp_servers.toolscript]\n`));
});

Deno.test("connect --move makes one server of the same one in two clients, with its secret", async () => {
  const cursor =
    '{"mcpServers": {"github": {"command": "other"}, "new": {"url": "https://a.example"}}}';
  await using folder = openFolder({
    ".mcp.json": `{"mcpServers": {"github": ${GITHUB}}}`,
    ".cursor/mcp.json": cursor,
    "~/.codex/config.toml": CODEX,
  });
  const { code, stdout, stderr } = await folder.connect("--move", "--json");
  assert.equal(code, 0, stderr);
  assert.deepEqual(JSON.parse(stdout).map((row: { moved: string[] }) => row.moved), [
    ["github"],
    ["github", "new"],
    ["github"],
  ]);
  assert.match(stderr, /The server "github" of \S+\.cursor\/mcp\.json is now "github_2"/);
  assert.equal((await loadConfig({ env: {}, ...folder })).trust.kind, "untrusted");
  const { cwd, home } = folder;
  const env = { TOOLSCRIPT_TRUST: "" };
  assert.equal((await caught(["trust", "--yes"], { cwd, home, env })).code, 0);
  const config = await loadConfig({ env: {}, ...folder });
  assert.equal(config.trust.kind, "trusted");
  assert.deepEqual(config.servers.map(({ name }) => name), ["github", "github_2", "new"]);
  assert.match(folder.read(".onetool/onetool.yaml"), /GITHUB_TOKEN: \$\{secret:GITHUB_TOKEN\}/);
  assert.equal(folder.read(".onetool/secrets.yaml"), "GITHUB_TOKEN: ghp_1\n");
  for (const path of [".mcp.json", ".cursor/mcp.json", "~/.codex/config.toml"]) {
    assert.doesNotMatch(folder.read(path), /github"|mcp_servers\.github|ghp_1/, path);
  }
  await folder.disconnect();
  assert.equal(folder.read(".cursor/mcp.json"), cursor);
  assert.equal(folder.read("~/.codex/config.toml"), CODEX);
});

Deno.test("connect --move adds to a configuration that is there, and keeps its comments", async () => {
  const own = "# mine\nservers:\n  a: { command: a } # first\n\n# end\nalias: {}\n";
  await using folder = openFolder({
    ".onetool/onetool.yaml": own,
    ".cursor/mcp.json": '{"mcpServers": {"b": {"command": "b"}}}',
  });
  await folder.connect("--move");
  assert.equal(
    folder.read(".onetool/onetool.yaml"),
    own.replace("# first\n", "# first\n  b:\n    command: b\n"),
  );
});

Deno.test("connect --move adds to a configuration of comments, which init writes", async () => {
  await using folder = openFolder({
    ".onetool/onetool.yaml": "# mine\n",
    ".cursor/mcp.json": '{"mcpServers": {"b": {"command": "b"}}}',
  });
  const { code, stderr } = await folder.connect("--move");
  assert.equal(code, 0, stderr);
  assert.equal(folder.read(".onetool/onetool.yaml"), "# mine\n\nservers:\n  b:\n    command: b\n");
});

Deno.test("disconnect keeps what was edited since, and puts back what was moved", async () => {
  await using folder = openFolder({ ".mcp.json": `{"mcpServers": {"github": ${GITHUB}}}` });
  await folder.connect("--move");
  folder.write(
    ".mcp.json",
    folder.read(".mcp.json").replace('"mcpServers"', '"note": 1, "mcpServers"'),
  );
  assert.equal((await folder.disconnect()).code, 0);
  assert.deepEqual(JSON.parse(folder.read(".mcp.json")), {
    note: 1,
    mcpServers: { github: JSON.parse(GITHUB) },
  });
  assert.equal(folder.has(".mcp.json.before-toolscript"), false);
});

Deno.test("disconnect restores no older copy over an edit between two connects", async () => {
  await using folder = openFolder({ ".cursor/mcp.json": '{"mcpServers": {}}' });
  await folder.connect();
  const edited = JSON.parse(folder.read(".cursor/mcp.json"));
  edited.mcpServers.toolscript.args = ["old"];
  folder.write(".cursor/mcp.json", JSON.stringify({ ...edited, note: 1 }));
  assert.equal(rowsOf(await folder.connect("--json"))[0]?.action, "updated");
  await folder.disconnect();
  assert.deepEqual(JSON.parse(folder.read(".cursor/mcp.json")), { mcpServers: {}, note: 1 });
});

Deno.test("connect --dry-run prints a diff without secrets and writes nothing", async () => {
  const files = {
    ".mcp.json": `{"mcpServers": {"github": ${GITHUB}, "b": {"url": "https://a/?api_key=k123"}}}`,
    "~/.codex/config.toml": CODEX,
  };
  await using folder = openFolder(files);
  for (const flags of [[], ["--move"]]) {
    const { code, stdout } = await folder.connect("--dry-run", ...flags);
    assert.equal(code, 0);
    assert.match(stdout, /^--- \.mcp\.json\n\+\+\+ \.mcp\.json$/m);
    assert.match(stdout, /^\+.*starter\.cjs/m);
    assert.doesNotMatch(stdout, /ghp_1|k123/);
  }
  for (const [path, text] of Object.entries(files)) assert.equal(folder.read(path), text);
  assert.equal(folder.has(".onetool"), false);
  assert.equal(folder.has("~/.onetool"), false);
});

Deno.test("connect leaves a file alone that does not parse, and names its line", async () => {
  const broken = '{\n  "mcpServers": {,\n}';
  await using folder = openFolder({ ".mcp.json": broken, ".cursor/mcp.json": "{}" });
  const { code, stdout } = await folder.connect("--json");
  assert.equal(code, 1);
  const [failed, added] = rowsOf({ stdout });
  assert.equal(failed?.action, "failed");
  assert.match(String(failed?.error), /^2:\d+: value expected: correct it there$/);
  assert.equal(added?.action, "added");
  assert.equal(folder.read(".mcp.json"), broken);
});

Deno.test("connect says which clients there are where it finds none, or an unknown one is named", async () => {
  await using folder = openFolder({});
  assert.equal((await folder.connect()).code, 3);
  const { code, stderr } = await folder.connect("cursor", "emacs");
  assert.equal(code, 2);
  assert.match(stderr, /Unknown client "emacs": use claude-code, .*zed/);
  assert.deepEqual([...Deno.readDirSync(folder.cwd)], []);
});

Deno.test("connect keeps links and modes", async (t) => {
  const rows = {
    "--user": ["~/.cursor/mcp.json", "~/dotfiles/mcp.json"],
    "--project": [".cursor/mcp.json", "dotfiles/mcp.json"],
  } as const;
  for (const [flag, [path, target]] of Object.entries(rows)) {
    await t.step(flag, async () => {
      await using folder = openFolder({ [target]: "{}\n", [join(dirname(path), "keep")]: "" });
      const [link, real] = [folder.pathOf(path), folder.pathOf(target)];
      Deno.chmodSync(real, 0o640);
      Deno.symlinkSync(real, link);
      await folder.connect("cursor", flag);
      assert.equal(Deno.lstatSync(link).isSymlink, true);
      assert.match(Deno.readTextFileSync(real), /starter\.cjs/);
      assert.equal((Deno.statSync(real).mode ?? 0) & 0o777, 0o640);
      await folder.disconnect("cursor", flag);
      assert.equal(Deno.lstatSync(link).isSymlink, true);
      assert.equal(Deno.readTextFileSync(real), "{}\n");
      assert.equal((Deno.statSync(real).mode ?? 0) & 0o777, 0o640);
    });
  }
});

Deno.test("connect --user and --project choose the file", async () => {
  await using folder = openFolder({});
  await folder.connect("cursor", "--user");
  await folder.connect("codex", "--project");
  assert.equal(folder.has("~/.cursor/mcp.json"), true);
  assert.equal(folder.has(".codex/config.toml"), true);
  assert.equal(folder.has(".cursor"), false);
  assert.equal((await folder.disconnect("cursor", "codex")).code, 0);
  assert.equal(folder.has("~/.cursor"), false);
  assert.equal(folder.has(".codex"), false);
});
