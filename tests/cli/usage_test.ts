import assert from "node:assert/strict";
import { join } from "node:path";
import { caught } from "./io.ts";

interface Row {
  readonly argv: readonly string[];
  readonly code: number;
  readonly stdout?: RegExp;
  readonly stderr?: RegExp;
}

const ROWS: readonly Row[] = [
  { argv: ["--version"], code: 0, stdout: /^toolscript 0\.1\.0\n$/ },
  { argv: ["exec", "-V"], code: 0, stdout: /^toolscript 0\.1\.0\n$/ },
  { argv: ["--help"], code: 0, stdout: /Usage: toolscript COMMAND/ },
  { argv: ["help"], code: 0, stdout: /gateway start/ },
  { argv: ["help", "gateway"], code: 0, stdout: /gateway start(.|\n)*gateway stop/ },
  { argv: ["exec", "--help"], code: 0, stdout: /-e, --eval CODE(.|\n)*--config FILE/ },
  { argv: ["--help", "gateway", "stop"], code: 0, stdout: /--all/ },
  { argv: ["gateway", "--help"], code: 0, stdout: /^Start the gateway(.|\n)*gateway stop/ },
  { argv: [], code: 2, stderr: /Usage:/ },
  { argv: ["lst"], code: 2, stderr: /^Error: Unknown command "lst": did you mean "list"\?\n$/ },
  { argv: ["serch"], code: 2, stderr: /did you mean "search"/ },
  { argv: ["search"], code: 2, stderr: /no query: use toolscript search QUERY/ },
  { argv: ["search", "x", "--limit", "0"], code: 2, stderr: /number from 1 to 100/ },
  { argv: ["gateway"], code: 2, stderr: /no subcommand: use start, status, stop/ },
  { argv: ["gateway", "strat"], code: 2, stderr: /did you mean "start"/ },
  { argv: ["list", "--jsn"], code: 2, stderr: /Unknown option "--jsn": did you mean "--json"/ },
  { argv: ["list", "--json=x"], code: 2, stderr: /has no value/ },
  { argv: ["list", "--config"], code: 2, stderr: /needs a value: "--config FILE"/ },
  { argv: ["list", "--config", "--json"], code: 2, stderr: /needs a value/ },
  { argv: ["list", "a", "b"], code: 2, stderr: /Cannot take "b": usage: toolscript list/ },
  { argv: ["exec"], code: 2, stderr: /no script: give a FILE, -e CODE, or -/ },
  { argv: ["exec", "nope.ts"], code: 2, stderr: /Cannot run "nope.ts": no such file/ },
  { argv: ["nope.ts", "--x"], code: 2, stderr: /Cannot run "nope.ts": no such file/ },
  { argv: ["exec", "--timeout", "soon", "-"], code: 2, stderr: /number of seconds above 0/ },
  { argv: ["gateway", "start", "--port", "99999"], code: 2, stderr: /from 0 to 65535/ },
  { argv: ["gateway", "status"], code: 3, stderr: /No gateway runs: start one/ },
  { argv: ["gateway", "status", "--json"], code: 3, stdout: /^\[\]\n$/ },
  { argv: ["gateway", "stop"], code: 3, stderr: /none runs for/ },
  { argv: ["list", "--gateway", "nonsense"], code: 2, stderr: /not an HTTP URL/ },
  {
    argv: ["--gateway=http://127.0.0.1:1", "list"],
    code: 3,
    stderr: /does not answer: start one with "toolscript gateway start"/,
  },
  { argv: ["--config", "no.yaml", "list"], code: 2, stderr: /^Error: no\.yaml: Cannot read it/ },
  { argv: ["list", "--config", "no.yaml"], code: 2, stderr: /^Error: no\.yaml: Cannot read it/ },
];

Deno.test("runCli() reports wrong usage in one line, with a fix and exit code 2", async (t) => {
  const home = await Deno.makeTempDir();
  for (const { argv, code, stdout = /^$/, stderr = /^$/ } of ROWS) {
    await t.step(`toolscript ${argv.join(" ")}`, async () => {
      const result = await caught(argv, { home, cwd: home });
      assert.equal(result.code, code, result.stderr);
      assert.match(result.stdout, stdout);
      assert.match(result.stderr, stderr);
      assert.ok(!result.stderr.includes("    at "), "a stack is for --verbose");
    });
  }
  await Deno.remove(home, { recursive: true });
});

Deno.test("runCli() shows every finding of a configuration with file, line and column", async () => {
  const home = await Deno.makeTempDir();
  await Deno.writeTextFile(join(home, "c.yaml"), "sandbox:\n  timeout: soon\nservrs: {}\n");
  const { code, stderr } = await caught(["list", "--config", "c.yaml"], { home, cwd: home });
  assert.equal(code, 2);
  assert.match(stderr, /^Error: c\.yaml:2:12: Cannot take "sandbox.timeout"/m);
  assert.match(stderr, /^Warning: c\.yaml:3:1: Unknown key "servrs".*Did you mean "servers"\?/m);
  await Deno.remove(home, { recursive: true });
});

Deno.test("runCli() prints colors on a terminal only, and not with NO_COLOR or --no-color", async () => {
  const home = await Deno.makeTempDir();
  const at = { home, cwd: home, terminal: true };
  assert.ok((await caught(["lst"], at)).stderr.startsWith("\x1b[31mError\x1b[0m"));
  assert.match((await caught(["lst"], { ...at, env: { NO_COLOR: "1" } })).stderr, /^Error/);
  assert.match((await caught(["--no-color", "exec"], at)).stderr, /^Error/);
  assert.match((await caught(["lst"], { ...at, terminal: false })).stderr, /^Error/);
  await Deno.remove(home, { recursive: true });
});

Deno.test("runCli() escapes control characters on a terminal", async () => {
  const home = await Deno.makeTempDir();
  const argv = ["exec", "\x1b]0;x\x07\u202e.ts"];
  const result = await caught(argv, { home, cwd: home, terminal: true });
  for (const unsafe of ["\x07", "\u202e", "\x1b]"]) assert.ok(!result.stderr.includes(unsafe));
  await Deno.remove(home, { recursive: true });
});
