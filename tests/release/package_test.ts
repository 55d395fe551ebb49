/** The npm package of `deno task package` from its installation on, as a person without a clone has
 * it. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { findGateways } from "#gateway/running";
import { walkFiles } from "../support/files.ts";
import { npmEnv } from "../support/npm.ts";
import { descendants, ended } from "../support/processes.ts";
import { pinnedCommand } from "../support/servers.ts";
import { built } from "./built.ts";

const ROOT = new URL("../../", import.meta.url);
const PLUGIN = fileURLToPath(new URL("plugin", ROOT));
/** Cache with the pinned servers of npm. */
const DENO_DIR = Deno.env.get("DENO_DIR") ?? `${Deno.env.get("HOME")}/.cache/deno`;

interface Installed extends AsyncDisposable {
  readonly program: string;
  readonly env: Record<string, string>;
  readonly cwd: string;
  run(...args: readonly string[]): Promise<{ code: number; stdout: string; stderr: string }>;
}

Deno.test("the npm package works from an empty prefix with an empty home", async (t) => {
  await using installed = await install();
  const { program, env, cwd, run } = installed;

  await t.step("doctor finds everything well", async () => {
    const { code, stdout, stderr } = await run("doctor");
    assert.equal(code, 0, stdout + stderr);
    assert.match(stderr, /All checks passed/);
  });

  await t.step("programs call packs, workers and servers", async () => {
    const commands: [string, RegExp][] = [
      ['data.parse(text="a,b\\n1,2", format="csv")', /"a":1/],
      ['text.match(text="abc", pattern="b")', /b/],
      ['words.loud(text="hello")', /HELLO/],
      ["memory.read_graph()", /entities/],
    ];
    for (const [command, answer] of commands) {
      const { code, stdout, stderr } = await run("run", command);
      assert.equal(code, 0, command + stdout + stderr);
      assert.match(stdout, answer);
    }
  });

  await t.step("its demo runs two real servers from npm, and keeps nothing", async () => {
    const demo = new Deno.Command(program, { args: ["demo"], cwd, env: { ...env, DENO_DIR } });
    const output = await demo.output();
    const stdout = new TextDecoder().decode(output.stdout);
    assert.equal(output.code, 0, stdout + new TextDecoder().decode(output.stderr));
    assert.match(stdout, /memory\.create_relations(.|\n)*busiest.*\n.*calls/);
  });

  await t.step("its page opens", async () => {
    const { code, stdout, stderr } = await run("ui", "--no-browser");
    assert.equal(code, 0, stderr);
    const signedIn = await fetch(stdout.trim(), { redirect: "manual" });
    const cookie = signedIn.headers.get("set-cookie")?.split(";")[0] ?? "";
    const { origin } = new URL(stdout.trim());
    for (const path of ["/", "/runs", "/servers", "/tools?q=file", "/stats", "/page/script.js"]) {
      const page = await fetch(`${origin}${path}`, { headers: { cookie } });
      const text = await page.text();
      assert.equal(page.status, 200, text);
      assert.match(text, path === "/page/script.js" ? /EventSource/ : /^<!DOCTYPE html>/);
    }
    assert.equal((await run("gateway", "stop")).code, 0);
  });

  await t.step("its man page is where man looks for it", async () => {
    const page = join(program, "..", "..", "share", "man", "man1", "toolscript.1");
    assert.match(await Deno.readTextFile(page), /^\.SH "EXIT STATUS"$/m);
  });

  await t.step("its exit code is that of the program", async () => {
    assert.equal((await run("run", "throw new Error('no')")).code, 1);
    assert.equal((await run("exec", "missing.ts")).code, 2);
  });

  await t.step("the plugin in the package starts it, and so does a copy elsewhere", async () => {
    const inside = join(program, "..", "..", "lib", "node_modules", "toolscript", "plugin");
    const copy = join(cwd, "..", "copied");
    await new Deno.Command("cp", { args: ["-R", PLUGIN, copy] }).output();
    const files = async (folder: string) =>
      (await Array.fromAsync(walkFiles(folder, ""), (path) => path.slice(folder.length))).sort();
    assert.deepEqual(await files(inside), await files(copy));
    const path = { ...env, PATH: `${join(program, "..")}:${env.PATH}` };
    for (const [folder, env] of [[inside, installed.env], [copy, path]] as const) {
      const args = [join(folder, "bin", "toolscript"), "run", 'words.loud(text="hi")'];
      const { stdout, stderr } = await new Deno.Command("node", { args, cwd, env }).output();
      const decoder = new TextDecoder();
      assert.match(decoder.decode(stdout), /HI/, decoder.decode(stderr));
    }
  });

  await t.step("an MCP client gets an answer, and nothing stays when it disconnects", async () => {
    const client = new Client({ name: "test", version: "1" });
    const transport = new StdioClientTransport({ command: program, args: ["mcp"], env, cwd });
    await client.connect(transport);
    const pid = transport.pid ?? 0;
    assert.deepEqual(
      (await client.listTools()).tools.map(({ name }) => name).includes("run"),
      true,
    );
    const answer = await client.callTool({ name: "run", arguments: { command: "1 + 1" } });
    assert.match(JSON.stringify(answer.content), /2/);
    assert.deepEqual(await descendants(pid), [], "an attached client needs Node.js alone");
    const [gateway] = await findGateways(env.HOME ?? "");
    await client.close();
    await ended([pid, gateway?.pid ?? 0]);
  });

  await t.step(
    "each client starts what connect gave it, and disconnect leaves no trace",
    async () => {
      const { stdout } = await run("connect", "cursor", "claude-code", "claude-desktop", "--json");
      for (const { client: name, file } of JSON.parse(stdout)) {
        const entry = JSON.parse(await Deno.readTextFile(file)).mcpServers.toolscript;
        assert.match(entry.args[0], /starter\.cjs$/, name);
        const client = new Client({ name, version: "1" });
        const { command, args } = entry;
        // Claude Desktop starts its servers in a folder of its own.
        const folder = name === "claude-desktop" ? "/" : cwd;
        const transport = new StdioClientTransport({ command, args, env, cwd: folder });
        await client.connect(transport);
        const started = await descendants(transport.pid ?? 0);
        const answer = await client.callTool({
          name: "run",
          arguments: { command: "memory.read_graph()" },
        });
        assert.match(JSON.stringify(answer.content), /entities/, name);
        await client.close();
        await ended(started);
      }
      assert.equal((await run("disconnect", "cursor", "claude-code", "claude-desktop")).code, 0);
      assert.deepEqual([...Deno.readDirSync(cwd)].map(({ name }) => name), [".onetool"]);
    },
  );

  await t.step("nothing is left when the starter is killed", async () => {
    await run("gateway", "stop", "--all"); // that of the clients may linger
    const child = new Deno.Command(program, {
      args: ["gateway", "start"],
      cwd,
      env,
      clearEnv: true,
      stdout: "piped",
      stderr: "null",
    }).spawn();
    const reader = child.stdout.getReader();
    const { value } = await reader.read();
    assert.match(new TextDecoder().decode(value), /Listening on/);
    const started = await descendants(child.pid);
    assert.ok(started.length > 0);
    child.kill("SIGKILL");
    await ended(started);
    await reader.cancel();
    await child.status;
  });
});

async function install(): Promise<Installed> {
  const root = await Deno.makeTempDir({ prefix: "toolscript package " });
  const [home, prefix, cwd] = [join(root, "home"), join(root, "prefix"), join(root, "project")];
  const env = {
    PATH: Deno.env.get("PATH") ?? "",
    HOME: home,
    TOOLSCRIPT_TRUST: "all",
    ...npmEnv(),
  };
  const program = join(prefix, "bin", "toolscript");
  const call = async (command: string, args: readonly string[], options: object = {}) => {
    const { code, stdout, stderr } = await new Deno.Command(command, {
      args: [...args],
      env,
      cwd,
      clearEnv: true,
      ...options,
    }).output();
    const decoder = new TextDecoder();
    return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
  };
  await Deno.mkdir(home);
  await Deno.mkdir(join(cwd, ".onetool", "tools", "words"), { recursive: true });
  const servers = { memory: { ...pinnedCommand("memory"), env: { DENO_DIR } } };
  await Deno.writeTextFile(
    join(cwd, ".onetool", "onetool.yaml"),
    JSON.stringify({ servers, gateway: { linger: 1 } }),
  );
  await Deno.writeTextFile(
    join(cwd, ".onetool", "tools", "words", "words_tools.ts"),
    "/** Makes a text loud. */\nexport function loud(text: string) {\n  return text.toUpperCase();\n}\n",
  );
  const flags = ["--global", "--ignore-scripts", "--no-audit", "--no-fund"];
  const done = await call("npm", ["install", ...flags, "--prefix", prefix, await built(".tgz")]);
  assert.equal(done.code, 0, done.stderr);
  return {
    program,
    env,
    cwd,
    run: (...args) => call(program, args),
    [Symbol.asyncDispose]: () => Deno.remove(root, { recursive: true }),
  };
}
