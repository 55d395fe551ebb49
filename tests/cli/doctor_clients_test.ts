/** `toolscript doctor`: the handshake of each MCP client, and the entries that it does not start. */

import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { CLIENTS } from "../../cli/connect/clients.ts";
import { cli } from "../support/cli.ts";
import { walkFiles } from "../support/files.ts";
import { type Caught, caught } from "./io.ts";

interface Row {
  readonly check: string;
  readonly ok: boolean;
  readonly message: string;
  readonly fix: string | null;
  readonly level: string;
}

interface Machine extends AsyncDisposable {
  readonly cwd: string;
  readonly home: string;
  write(path: string, content: unknown): void;
  has(path: string): boolean;
}

/** A project and a home folder; names below `~/` lie in the home folder. */
function openMachine(): Machine {
  const root = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "toolscript-clients-" }));
  const [cwd, home] = [join(root, "project"), join(root, "home")];
  for (const path of [cwd, join(home, ".cache")]) Deno.mkdirSync(path, { recursive: true });
  const modules = Deno.env.get("DENO_DIR") ?? join(Deno.env.get("HOME") ?? "/", ".cache", "deno");
  // a client that passes on few variables does not pass on where Deno's modules are
  Deno.symlinkSync(modules, join(home, ".cache", "deno"));
  const pathOf = (path: string) =>
    path.startsWith("~/") ? join(home, path.slice(2)) : join(cwd, path);
  return {
    cwd,
    home,
    write(path, content) {
      Deno.mkdirSync(dirname(pathOf(path)), { recursive: true });
      const text = typeof content === "string" ? content : JSON.stringify(content);
      Deno.writeTextFileSync(pathOf(path), text);
    },
    has(path) {
      try {
        return Deno.statSync(pathOf(path)) !== undefined;
      } catch {
        return false;
      }
    },
    [Symbol.asyncDispose]: () => Deno.remove(root, { recursive: true }),
  };
}

function rowsOf({ stdout }: Pick<Caught, "stdout">): Row[] {
  const rows: Row[] = JSON.parse(stdout);
  return rows.filter(({ check }) => /^clients?\b/.test(check));
}

/** Processes whose environment names the folder. */
function processesOf(home: string): string[] {
  return [...Deno.readDirSync("/proc")].map(({ name }) => name).filter((name) => {
    try {
      return /^\d+$/.test(name) &&
        Deno.readTextFileSync(`/proc/${name}/environ`).includes(`HOME=${home}\0`) &&
        !/^\d+ \(.*\) Z/s.test(Deno.readTextFileSync(`/proc/${name}/stat`));
    } catch {
      return false; // gone, or another user's
    }
  });
}

/** Every file below a folder, with its text. */
async function textsIn(folder: string): Promise<[string, string][]> {
  const paths = await Array.fromAsync(walkFiles(folder, ""));
  return await Promise.all(
    paths.map(async (path): Promise<[string, string]> => [path, await Deno.readTextFile(path)]),
  );
}

Deno.test("doctor does the handshake of every client that connect has put Toolscript into", async () => {
  await using machine = openMachine();
  const { cwd, home } = machine;
  const at = { cwd, home };
  assert.equal((await cli(["connect", ...CLIENTS], at)).code, 0);
  const before = await textsIn(cwd);
  const result = await cli(["doctor", "--json"], at);
  assert.deepEqual(await textsIn(cwd), before);
  const rows = rowsOf(result);
  assert.deepEqual(rows.map(({ check }) => check), CLIENTS.map((name) => `client ${name}`));
  for (const { ok, message, level, fix } of rows) {
    const shape = /^\S+: \d+ tools? \([\w, ]*\brun\b[\w, ]*\), \d+ tokens, always loaded, answered/;
    assert.match(message, shape);
    assert.deepEqual([ok, level, fix], [true, "ok", null], message);
  }
  const limits = rows.map(({ message }) => /of ([\d.]+) s$/.exec(message)?.[1]);
  assert.deepEqual(limits, ["30", "60", "60", "30", "60", "600", "5", "60", "60"]);
  if (Deno.build.os === "linux") assert.deepEqual(processesOf(home), []);
});

const SERVER = `
const { cwd, args } = { cwd: Deno.cwd(), args: Deno.args };
let rest = "";
const say = (id, result) => console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
const seen = {};
for await (const text of Deno.stdin.readable.pipeThrough(new TextDecoderStream())) {
  const lines = (rest + text).split("\\n");
  rest = lines.pop();
  for (const { id, method, params } of lines.map((line) => JSON.parse(line))) {
    if (method === "initialize") {
      Object.assign(seen, { cwd, args, env: Deno.env.toObject(), asked: params });
      say(id, { protocolVersion: params.protocolVersion, instructions: "one two three" });
    }
    if (method === "notifications/initialized") seen.initialized = true;
    if (method !== "tools/list") continue;
    console.log(JSON.stringify({ jsonrpc: "2.0", method: "notifications/message", params: {} }));
    const tool = (name) => ({ name, description: "d", inputSchema: { type: "object" } });
    if (params.cursor === "b") {
      Deno.writeTextFileSync(args[0], JSON.stringify(seen));
      say(id, { tools: [tool("second")] });
    } else say(id, { tools: [tool("first")], nextCursor: "b" });
  }
}
`;

Deno.test("doctor starts an entry as its client does: folder, variables, version, pages", async (t) => {
  await using machine = openMachine();
  const { cwd, home } = machine;
  machine.write("~/server.js", SERVER);
  machine.write("~/seen.json", "");
  const report = join(home, "seen.json");
  const program = [Deno.execPath(), "run", "-A", join(home, "server.js"), report];
  const at = { cwd, home, program, env: { HOME: home, OWN: "1", MCP_TIMEOUT: "20000" } };
  const cases = {
    "claude-code": { folder: cwd, own: "1", version: "2025-11-25", limit: "20" },
    codex: { folder: cwd, own: undefined, version: "2025-06-18", limit: "30" },
    "claude-desktop": { folder: home, own: undefined, version: "2025-06-18", limit: "60" },
    windsurf: { folder: home, own: "1", version: "2025-06-18", limit: "60" },
  };
  for (const [name, { folder, own, version, limit }] of Object.entries(cases)) {
    await t.step(name, async () => {
      assert.equal((await caught(["connect", name], at)).code, 0);
      const [row] = rowsOf(await caught(["doctor", "--json"], at));
      assert.equal((await caught(["disconnect", name], at)).code, 0);
      const seen = JSON.parse(Deno.readTextFileSync(report));
      assert.deepEqual([seen.cwd, seen.env.OWN, seen.initialized], [folder, own, true]);
      assert.deepEqual(seen.asked.protocolVersion, version);
      assert.equal(seen.asked.clientInfo.name, name);
      const isFar = folder === home;
      assert.deepEqual(seen.args.slice(1), [
        "mcp",
        ...isFar ? ["--project", cwd] : [],
        "--private",
      ]);
      assert.match(
        row?.message ?? "",
        new RegExp(`^\\S+: 2 tools \\(first, second\\), .* of ${limit} s$`),
      );
      const isLoaded = name === "claude-code"; // its entry says so, the tools do not
      assert.equal(row?.level, isLoaded ? "ok" : "warning", row?.message);
      assert.match(row.message, isLoaded ? /always loaded/ : /hidden behind its tool search/);
    });
  }
});

Deno.test("doctor starts nothing but what connect writes", async (t) => {
  await using machine = openMachine();
  const { cwd, home } = machine;
  const program = [Deno.execPath(), "run", "-A", join(home, "server.js"), join(home, "seen.json")];
  machine.write("~/server.js", SERVER);
  machine.write("~/seen.json", "");
  const [command = "", ...args] = [...program, "mcp"];
  const at = { cwd, home, program, env: { HOME: home } };
  const touch = { command: "/bin/sh", args: ["-c", `touch '${join(home, "touched")}'`, "mcp"] };
  const cases: [string, Record<string, unknown>, RegExp, string][] = [
    ["another command", touch, /differs from what connect writes, and was not started$/, "warning"],
    ["another argument", { command, args: [...args, "-x"] }, /differs/, "warning"],
    ["a folder", { command, args: [...args, "--project", cwd] }, /differs/, "warning"],
    ["a variable", { command, args, env: { DENO_V8_FLAGS: "x" } }, /differs/, "warning"],
    ["a working folder", { command, args, cwd: home }, /differs/, "warning"],
    ["a file of variables", { command, args, envFile: ".env" }, /differs/, "warning"],
    ["another transport", { url: "http://127.0.0.1:1" }, /differs/, "warning"],
    ["another shape", { command: [command], args: "mcp" }, /differs/, "warning"],
    [
      "a path that is gone",
      { command: "/gone/node", args },
      /out of date: \/gone\/node is gone/,
      "failed",
    ],
    ["switched off", { command, args, disabled: true }, /switched off/, "warning"],
  ];
  for (const [name, entry, message, level] of cases) {
    await t.step(name, async () => {
      machine.write(".cursor/mcp.json", { mcpServers: { toolscript: entry } });
      const rows = rowsOf(await caught(["doctor", "--json"], at));
      assert.deepEqual(rows.map(({ check, level }) => [check, level]), [["client cursor", level]]);
      assert.match(rows[0]?.message ?? "", message);
      assert.match(rows[0]?.fix ?? "", /toolscript connect cursor$|in the client$/);
      assert.equal(Deno.readTextFileSync(join(home, "seen.json")), "");
      assert.equal(machine.has("~/touched"), false);
    });
  }
  await t.step("the user's file is named in the fix", async () => {
    Deno.removeSync(join(cwd, ".cursor/mcp.json"));
    machine.write("~/.cursor/mcp.json", { mcpServers: { toolscript: touch } });
    const [row] = rowsOf(await caught(["doctor", "--json"], at));
    assert.match(row?.fix ?? "", /toolscript connect cursor --user$/);
  });
});

Deno.test("doctor says why a client gets no answer, in bounded and visible text", async (t) => {
  await using machine = openMachine();
  const { cwd, home } = machine;
  const at = (program: readonly string[]) => ({ cwd, home, program, env: { HOME: home } });
  const check = async (code: string, own = "") => {
    machine.write("~/server.js", code);
    const program = [Deno.execPath(), "run", "-A", "--quiet", join(home, "server.js")];
    await caught(["connect", "opencode"], at(program));
    const written = Deno.readTextFileSync(join(cwd, "opencode.json"));
    machine.write("opencode.json", written.replace('"enabled": true', `"enabled": true${own}`));
    return await caught(["doctor", "--json"], at(program));
  };
  const cases: Record<string, [string, RegExp, string?]> = {
    "it ends": ['console.error("one\\nno \\u001b[31mkey"); Deno.exit(3);', /it wrote "no .*key"$/],
    "it says something else": ['console.log("ready");', /it writes what is no message: "ready"$/],
    "it refuses": [
      'console.log(JSON.stringify({ id: 1, error: { message: "no" } })); await new Promise(() => {});',
      /it refuses: no$/,
    ],
    "its line has no end": [
      "const a = new Uint8Array(65536).fill(97); for (;;) Deno.stdout.writeSync(a);",
      /its answer is too long$/,
    ],
    "it is silent": [
      "setInterval(() => {}, 1000); await new Promise(() => {});",
      /no answer in 0\.3 s, its time limit$/,
      ', "timeout": 300',
    ],
  };
  for (const [name, [code, message, own]] of Object.entries(cases)) {
    await t.step(name, async () => {
      const [row] = rowsOf(await check(code, own));
      assert.equal(row?.ok, false, row?.message);
      assert.match(row?.message ?? "", message);
      assert.match(row?.fix ?? "", /toolscript connect opencode$/);
      if (Deno.build.os === "linux") assert.deepEqual(processesOf(home), []);
    });
  }
  await t.step("a file that does not parse has its line", async () => {
    machine.write("opencode.json", '{\n  "mcp": { "toolscript": }\n}');
    const [row] = rowsOf(await caught(["doctor", "--json"], at(["x"])));
    assert.deepEqual([row?.level, row?.check], ["warning", "client opencode"]);
    assert.match(row?.message ?? "", /^opencode\.json: 2:\d+: /);
  });
  await t.step("a path of control characters is escaped for a person", async () => {
    const path = "/gone/\u001b]0;x\u0007";
    machine.write("opencode.json", { mcp: { toolscript: { command: [path, "mcp"] } } });
    const { stdout } = await caught(["doctor"], at(["x"]));
    assert.match(stdout, /out of date/);
    assert.ok(!stdout.includes("\u001b"), stdout);
  });
});

Deno.test("doctor says in one row that no client has Toolscript", async () => {
  await using machine = openMachine();
  const { cwd, home } = machine;
  const row = async () => rowsOf(await caught(["doctor", "--json"], { cwd, home, program: ["x"] }));
  const [none, ...others] = await row();
  assert.deepEqual([none?.ok, none?.fix, others], [true, "Put it in: toolscript connect", []]);
  machine.write("~/.cursor/mcp.json", { mcpServers: { other: { command: "x" } } });
  assert.match((await row())[0]?.message ?? "", /^None of cursor has Toolscript$/);
});
