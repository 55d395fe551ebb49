/** `toolscript doctor`: what it says of a sound project and of broken ones, in a real process. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { cli, cliCommand, type CliResult } from "../support/cli.ts";
import { openFolders } from "../support/packs.ts";
import { pinnedCommand } from "../support/servers.ts";
import { caught } from "./io.ts";

interface Row {
  readonly check: string;
  readonly ok: boolean;
  readonly message: string;
  readonly fix: string | null;
  readonly level: string;
}

const GREET = '/** Greets. */\nexport const greet = (name: string): string => "Hi, " + name;\n';

function rowsOf({ stdout }: Pick<CliResult, "stdout">): Row[] {
  return JSON.parse(stdout);
}

/** Every path below a folder, with size and time of what is a file. */
function treeOf(folder: string): string[] {
  return [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) => {
    const path = join(folder, name);
    if (isDirectory) return [path, ...treeOf(path)];
    const { size, mtime } = Deno.lstatSync(path);
    return [`${path} ${size} ${mtime?.getTime()}`];
  }).sort();
}

Deno.test("doctor passes a valid project, and changes nothing", async (t) => {
  await using folders = await openFolders({ project: { "hello/hello_tools.ts": GREET } });
  const { project, home } = folders;
  const config = {
    servers: { memory: pinnedCommand("memory"), off: { command: "x", enabled: false } },
  };
  await Deno.writeTextFile(join(project, ".onetool/onetool.yaml"), JSON.stringify(config));
  const secrets = join(project, ".onetool/secrets.yaml");
  await Deno.writeTextFile(secrets, "A: b\n", { mode: 0o600 });
  const env = { HTTPS_PROXY: "http://ana:hush@proxy.example:3128" };
  const before = [treeOf(project), treeOf(home)];
  const result = await cli(["doctor", "--json"], { cwd: project, home, env });
  const rows = rowsOf(result);
  const message = (check: string) => rows.find((row) => row.check === check)?.message ?? "";

  await t.step("exit code, shape, disk", () => {
    assert.deepEqual(rows.filter(({ ok }) => !ok), []);
    assert.equal(result.code, 0, result.stderr);
    assert.match(result.stderr, /^All checks passed$/m);
    const keys = rows.map((row) => Object.keys(row).join());
    assert.deepEqual([...new Set(keys)], ["check,ok,message,fix,level"]);
    assert.deepEqual([treeOf(project), treeOf(home)], before);
  });
  await t.step("checks", () => {
    const checks = [
      "toolscript",
      "deno",
      "config",
      "trust",
      "secrets",
      "proxy",
      "walls",
      "uv",
      "gateway",
      "address",
      "clients",
      "folders",
      "sandbox",
      "type checker",
      "server memory",
      "server off",
      "pack hello",
    ];
    assert.deepEqual(rows.map(({ check }) => check), checks);
    assert.match(message("config"), /onetool\.yaml, 2 servers$/);
    assert.match(message("server memory"), /^Connected, \d+ tools, stdio$/);
    assert.equal(message("server off"), "Switched off");
    assert.match(message("sandbox"), /^1 \+ 1 is 2, in \d+ ms$/);
    assert.match(message("type checker"), /^TypeScript \d+\.\d+\.\d+ refuses/);
    assert.match(message("proxy"), /^HTTPS_PROXY is http:\/\/proxy\.example:3128/);
    assert.ok(!result.stdout.includes("hush"));
  });
});

Deno.test("doctor reports each problem with a fix, without secrets", async (t) => {
  await using locked = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    () => new Response("no", { status: 401 }),
  );
  using taken = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  await using folders = await openFolders({
    project: {
      "broken/broken_tools.ts": "export const f = (): string => 1;\n\nnull.x;\n",
      "asks/asks_tools.ts": `// /// script\n// permissions = { net = ["a.com"] }\n// ///\n${GREET}`,
      "ot/ot_tools.ts": GREET,
      "snake/snake_tools.py": "def f(): return 1\n",
    },
  });
  const { project, home } = folders;
  const config = {
    servers: {
      gone: { command: "no-such-command-here" },
      ends: {
        command: "sh",
        args: ["-c", 'echo "bad key $KEY" >&2; exit 3'],
        env: { KEY: "${secret:KEY}" },
      },
      locked: { url: `http://127.0.0.1:${locked.addr.port}/mcp` },
      nowhere: { command: "sh", cwd: "no/such/folder" },
    },
    gateway: { port: taken.addr.port },
    sandbx: {},
  };
  const state = join(project, ".onetool");
  await Deno.writeTextFile(join(state, "onetool.yaml"), JSON.stringify(config));
  await Deno.writeTextFile(join(state, "secrets.yaml"), "KEY: hush-hush-hush\n", { mode: 0o644 });
  await Deno.writeTextFile(join(state, "tmp"), "a file");
  const stale = join(home, ".onetool/run/999999999.json");
  await Deno.mkdir(join(home, ".onetool/run"), { recursive: true, mode: 0o700 });
  const entry = { url: "http://127.0.0.1:1", token: "t", pid: 999999999, project };
  await Deno.writeTextFile(stale, JSON.stringify(entry), { mode: 0o600 });
  const env = { PATH: "/usr/bin:/bin", TOOLSCRIPT_GATEWAY_URL: "http://127.0.0.1:1" };
  const at = { cwd: project, home, env };
  const result = await cli(["doctor", "--json"], at);
  const rows = rowsOf(result);

  const expected: [string, string, RegExp, RegExp | null][] = [
    ["config", "warning", /onetool\.yaml:1:\d+: Unknown key "sandbx"/, /sandbox/],
    ["secrets", "failed", /others can read it \(mode 0644\)/, /^chmod 600 '.*secrets\.yaml'$/],
    ["gateway", "failed", /TOOLSCRIPT_GATEWAY_URL/, /Unset it, or start one/],
    ["run files", "ok", /^1 of gateways that have ended/, null],
    ["address", "failed", /is taken by another program/, /gateway\.port/],
    ["folders", "failed", /tmp is not a folder/, /Move it away/],
    ["server gone", "failed", /^Command not found$/, /^Install "no-such-command-here", or correct/],
    ["server ends", "failed", /it wrote "bad key \[redacted\]"$/, /servers\.ends\.args/],
    ["server locked", "failed", /^Needs a sign-in$/, /^toolscript auth login locked$/],
    ["server nowhere", "failed", /^Working directory not found$/, /servers\.nowhere\.cwd/],
    ["packs", "failed", /ot_tools\.ts: Cannot load the pack "ot"/, /rename it/],
    ["pack broken", "failed", /broken_tools\.ts:3: TypeError: .*null/, null],
    ["pack broken", "warning", /broken_tools\.ts:1: Type error: /, null],
    ["pack asks", "warning", /Not granted: net = \["a\.com"\]/, /packs\.asks\.permissions/],
    ["sandbox", "ok", /^1 \+ 1 is 2/, null],
  ];
  for (const [check, level, message, fix] of expected) {
    await t.step(`${check}: ${message.source}`, () => {
      const match = rows.find((row) =>
        row.check === check && row.level === level && message.test(row.message)
      );
      assert.ok(match, JSON.stringify(rows.filter((row) => row.check === check)));
      if (fix) assert.match(match.fix ?? "", fix);
    });
  }
  await t.step("exit code, and no secrets", async () => {
    assert.equal(result.code, 1);
    assert.match(result.stderr, /^\d+ of \d+ checks failed$/m);
    assert.ok(!(result.stdout + result.stderr).includes("hush"));
    assert.ok((await Deno.stat(stale)).isFile, "only --fix removes it");
  });
  await t.step("--fix corrects problems that need no decision", async () => {
    await Deno.writeTextFile(join(state, "onetool.yaml"), "{}");
    await Deno.remove(join(state, "tools"), { recursive: true });
    const rows = rowsOf(await cli(["doctor", "--json", "--fix"], at));
    assert.match(
      rows.find(({ check }) => check === "secrets")?.message ?? "",
      /mode changed to 0600/,
    );
    assert.equal(((await Deno.stat(join(state, "secrets.yaml"))).mode ?? 0) & 0o777, 0o600);
    await assert.rejects(Deno.stat(stale), Deno.errors.NotFound);
  });
});

Deno.test("doctor shows every finding of a wrong configuration, one line each", async (t) => {
  await using folders = await openFolders({});
  const { project: cwd, home } = folders;
  await Deno.mkdir(join(cwd, ".onetool"));
  const yaml = "sandbox:\n  timeout: soon\nservers: { a: {} }\n";
  await Deno.writeTextFile(join(cwd, ".onetool/onetool.yaml"), yaml);
  await t.step("without colors", async () => {
    const { code, stdout } = await caught(["doctor"], { cwd, home });
    assert.equal(code, 1);
    assert.match(stdout, /^ok {5}deno +Version \d/m);
    assert.match(stdout, /^FAILED config .*onetool\.yaml:2:12: .*"sandbox\.timeout"/m);
    assert.match(stdout, /^FAILED config .*onetool\.yaml:3:12: .*no command\n +→ Add /m);
  });
  await t.step("on a terminal", async () => {
    const { stdout } = await caught(["doctor"], { cwd, home, terminal: true });
    assert.ok(stdout.includes("\n\x1b[32m✓\x1b[0m deno"), stdout);
    assert.ok(stdout.includes("\n\x1b[31m✗\x1b[0m config"), stdout);
    const plain = await caught(["doctor", "--no-color"], { cwd, home, terminal: true });
    assert.match(plain.stdout, /^ok {5}deno/m);
  });
});

Deno.test("doctor ends at its time limit, and on SIGINT", async (t) => {
  await using folders = await openFolders({});
  const { project: cwd, home } = folders;
  await Deno.writeTextFile(
    join(cwd, "c.yaml"),
    "servers: { hangs: { command: sleep, args: [600] } }",
  );
  const scratch = join(home, "tmp");
  await Deno.mkdir(scratch);
  const at = { cwd, home, env: { TMPDIR: scratch } };
  await t.step("--timeout", async () => {
    const { code, stdout } = await cli(
      ["doctor", "--config", "c.yaml", "--json", "--timeout=2"],
      at,
    );
    const row = rowsOf({ stdout }).find(({ check }) => check === "server hangs");
    assert.deepEqual([code, row?.ok, row?.message], [1, false, "No connection in time"]);
  });
  await t.step("SIGINT", async () => {
    const child = cliCommand(["doctor", "--config", "c.yaml"], at).spawn();
    while ([...Deno.readDirSync(scratch)].every(({ name }) => !name.includes("doctor"))) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    child.kill("SIGINT");
    const { code, stdout } = await child.output();
    assert.deepEqual([code, stdout.length], [130, 0]);
  });
  const left = [...Deno.readDirSync(scratch)].map(({ name }) => name);
  assert.deepEqual(left.filter((name) => name.includes("doctor")), []);
});
