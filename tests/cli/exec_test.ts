import assert from "node:assert/strict";
import { join } from "node:path";
import { cli, cliCommand } from "../support/cli.ts";
import { openGateway, type TestGateway } from "../support/gateway.ts";
import { caught, type CaughtOptions } from "./io.ts";

/** Where the command line finds a test's gateway. */
function at(gateway: TestGateway, options: Partial<CaughtOptions> = {}): CaughtOptions {
  const { home, project, url, token } = gateway;
  const env = { TOOLSCRIPT_GATEWAY_URL: url, TOOLSCRIPT_TOKEN: token };
  return { home, cwd: project, env, ...options };
}

Deno.test("exec prints the output of a script, then its value", async (t) => {
  await using gateway = await openGateway();
  const run = (argv: string[], options?: Partial<CaughtOptions>) =>
    caught(["exec", ...argv], at(gateway, options));

  await t.step("output and value", async () => {
    const code = 'console.log("a"); console.error("b"); return { c: [1, null] }';
    assert.deepEqual(await run(["-e", code]), {
      code: 0,
      stdout: 'a\n{"c":[1,null]}\n',
      stderr: "b\n",
    });
  });
  await t.step("nothing for undefined", async () => {
    assert.deepEqual(await run(["-e", "const x = 1; x"]).then(({ stdout }) => stdout), "1\n");
    assert.equal((await run(["-e", "return undefined"])).stdout, "");
    assert.equal((await run(["-e", "return null"])).stdout, "null\n");
  });
  await t.step("a value after an unfinished line begins a new one", async () => {
    const code = 'await Deno.stdout.write(new TextEncoder().encode("x")); return 1';
    assert.equal((await run(["-e", code])).stdout, "x\n1\n");
  });
  await t.step("all words after it are arguments of the script", async () => {
    const words = ["a", "--json", "-x", "--", "--help", "exec"];
    await Deno.writeTextFile(join(gateway.project, "s.ts"), "return Deno.args");
    const expected = `${JSON.stringify(words)}\n`;
    assert.equal((await run(["-e", "return Deno.args", ...words])).stdout, expected);
    assert.equal((await run(["s.ts", ...words])).stdout, expected);
    assert.equal((await caught(["s.ts", ...words], at(gateway))).stdout, expected);
    const piped = await run(["-", ...words], { stdin: "return Deno.args" });
    assert.equal(piped.stdout, expected);
  });
  await t.step("options before and after the name", async () => {
    const early = await caught(["--json", "exec", "-e", "return 1"], at(gateway));
    const late = await caught(["exec", "--json", "-e", "return 1"], at(gateway));
    for (const { stdout } of [early, late]) {
      const answer = JSON.parse(stdout);
      assert.deepEqual([answer.ok, answer.value, answer.calls], [true, 1, 0]);
      assert.ok(!("type" in answer));
    }
  });
  await t.step("stdin", async () => {
    const code = "return await new Response(Deno.stdin.readable).text()";
    assert.equal((await run(["-e", code], { stdin: "data" })).stdout, '"data"\n');
  });
  await t.step("a failure", async () => {
    const failed = await run(["-e", 'console.log(1);\nthrow new TypeError("boom")']);
    assert.deepEqual([failed.code, failed.stdout], [1, "1\n"]);
    assert.match(failed.stderr, /^TypeError: boom\n(.|\n)*eval\.ts:2:7/);
  });
  await t.step("a failure with --json", async () => {
    const failed = await run(["--json", "-e", "throw 1"]);
    assert.deepEqual([failed.code, failed.stderr], [1, ""]);
    assert.equal(JSON.parse(failed.stdout).error.code, "thrown");
  });
  await t.step("a time limit", async () => {
    const late = await run(["--timeout", "0.3", "-e", "for (;;);"]);
    assert.equal(late.code, 1);
    assert.match(late.stderr, /0\.3|300/);
  });
  await t.step("a token that is wrong", async () => {
    const env = { TOOLSCRIPT_GATEWAY_URL: gateway.url, TOOLSCRIPT_TOKEN: "wrong" };
    const home = await Deno.makeTempDir();
    const refused = await run(["-e", "1"], { env, home });
    assert.deepEqual([refused.code, refused.stdout], [2, ""]);
    assert.match(refused.stderr, /^Error: .*token/);
    await Deno.remove(home, { recursive: true });
  });
});

Deno.test("exec sends the modules beside a script, and no others", async () => {
  await using gateway = await openGateway();
  const files = {
    "app/main.ts":
      'import { a } from "./lib/a.ts"; const b = await import("./b.ts"); return a + b.b',
    "app/lib/a.ts": 'import { c } from "../c.ts"; export const a: number = c + 1;',
    "app/b.ts": "export const b = 10;",
    "app/c.ts": "export const c = 100;",
    "app/up.ts": 'import { s } from "../outside.ts"; return s',
    "app/link.ts": 'import { s } from "./linked.ts"; return s',
    "app/dot.ts": 'import { s } from "./.hidden/x.ts"; return s',
    "outside.ts": 'export const s = "secret";',
    "app/.hidden/x.ts": 'export const s = "secret";',
  };
  for (const [name, text] of Object.entries(files)) {
    const path = join(gateway.project, name);
    await Deno.mkdir(join(path, ".."), { recursive: true });
    await Deno.writeTextFile(path, text);
  }
  const outside = join(gateway.project, "outside.ts");
  await Deno.symlink(outside, join(gateway.project, "app/linked.ts"));
  const good = await caught(["exec", "app/main.ts"], at(gateway));
  assert.deepEqual([good.code, good.stdout], [0, "111\n"], good.stderr);
  for (const name of ["up", "link", "dot"]) {
    const bad = await caught(["exec", `app/${name}.ts`], at(gateway));
    assert.equal(bad.code, 1, name);
    assert.ok(!(bad.stdout + bad.stderr).includes('= "secret"'), bad.stderr);
  }
});

Deno.test("exec refuses an import that a link leads out of the script's folder", async (t) => {
  await using gateway = await openGateway();
  const app = join(gateway.project, "app");
  await Deno.mkdir(join(app, ".hidden"), { recursive: true });
  await Deno.mkdir(join(app, "lib"));
  await Deno.mkdir(join(gateway.project, "beyond"));
  const text = 'export const s = "from afar";';
  for (const name of ["beyond/x.ts", "app/.hidden/x.ts", "app/.x.ts", "app/lib/near.ts"]) {
    await Deno.writeTextFile(join(gateway.project, name), text);
  }
  await Deno.writeTextFile(join(app, "data.json"), text);
  await Deno.writeTextFile(join(app, "helper.ts"), 'export * from "./out.ts";');
  const links: Record<string, string> = {
    "out.ts": "../beyond/x.ts",
    "folder": "../beyond",
    "hidden.ts": ".hidden/x.ts",
    "dotted.ts": ".x.ts",
    "concealed": ".hidden",
    "data.ts": "data.json",
    "nowhere.ts": "../beyond/none.ts",
    "near.ts": "lib/near.ts",
    "twice.ts": "out.ts",
  };
  for (const [name, target] of Object.entries(links)) await Deno.symlink(target, join(app, name));
  const exec = async (specifier: string) => {
    const code = `import { s } from ${JSON.stringify(specifier)}; return s`;
    await Deno.writeTextFile(join(app, "main.ts"), code);
    const { stdout } = await caught(["exec", "--json", "app/main.ts"], at(gateway));
    return JSON.parse(stdout);
  };
  const refused = ["out", "folder/x", "hidden", "dotted", "concealed/x", "data", "twice"];
  for (const name of refused) {
    await t.step(name, async () => {
      const { error, text } = await exec(`./${name}.ts`);
      assert.equal(error?.code, "blocked", text);
      assert.equal(error.details.specifier, `./${name}.ts`);
      assert.ok(!text.includes("from afar"), text);
    });
  }
  await t.step("in a file beside it", async () => {
    const { error } = await exec("./helper.ts");
    assert.deepEqual([error?.code, error?.file], ["blocked", "helper.ts"]);
    assert.equal(error.details.specifier, "./out.ts");
  });
  await t.step("a link to nothing is no file", async () => {
    assert.equal((await exec("./nowhere.ts")).error?.code, "type_error");
  });
  await t.step("a link within the folder", async () => {
    assert.equal((await exec("./near.ts")).value, "from afar");
  });
});

Deno.test("exec on a terminal keeps colors, escapes the rest and indents the value", async () => {
  await using gateway = await openGateway();
  const code = String
    .raw`console.log("\x1b[32mgreen\x1b[0m \x1b]0;title\x07 \u202e"); return ["\u202e"]`;
  const { stdout } = await caught(["exec", "-e", code], at(gateway, { terminal: true }));
  assert.ok(stdout.includes("\x1b[32mgreen\x1b[0m"), JSON.stringify(stdout));
  assert.ok(stdout.includes(String.raw`\u001b]0;title\u0007 \u202e`), JSON.stringify(stdout));
  assert.ok(stdout.endsWith('[\n  "\\u202e"\n]\n'), JSON.stringify(stdout));
});

Deno.test("exec without a shared gateway starts its own, and leaves nothing behind", async () => {
  const home = await Deno.makeTempDir();
  const { code, stdout, stderr } = await cli(["exec", "-e", "return 6 * 7"], { home, cwd: home });
  assert.deepEqual([code, stdout, stderr], [0, "42\n", ""]);
  const left = [...Deno.readDirSync(join(home, ".onetool", "run"))].map(({ name }) => name);
  assert.deepEqual(left.filter((name) => name.endsWith(".json")), []);
  await Deno.remove(home, { recursive: true });
});

Deno.test("exec ends with 130 on Ctrl-C and cancels the run", async () => {
  const home = await Deno.makeTempDir();
  const code = 'console.log("going"); await new Promise(() => setInterval(() => {}, 1000))';
  const child = cliCommand(["exec", "-e", code], { home, cwd: home }).spawn();
  const reader = child.stdout.getReader();
  assert.equal(new TextDecoder().decode((await reader.read()).value), "going\n");
  child.kill("SIGINT");
  const [{ code: exit }, stderr] = await Promise.all([
    child.status,
    new Response(child.stderr).text(),
  ]);
  await reader.cancel();
  assert.deepEqual([exit, stderr], [130, ""]);
  await Deno.remove(home, { recursive: true });
});

Deno.test("exec reaches its gateway without a proxy", async () => {
  const home = await Deno.makeTempDir();
  const env = { HTTP_PROXY: "http://127.0.0.1:9", http_proxy: "http://127.0.0.1:9" };
  const { code, stdout } = await cli(["exec", "-e", "return 1"], { home, cwd: home, env });
  assert.deepEqual([code, stdout], [0, "1\n"]);
  await Deno.remove(home, { recursive: true });
});

Deno.test("exec and lint read regular files, and handles that the caller opened", async (t) => {
  const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "toolscript-script-" }));
  const place = { home: root, cwd: root };
  /** Ends one that waits. */
  const through = ["timeout", "-s", "KILL", "60"];
  try {
    await new Deno.Command("mkfifo", { args: [join(root, "pipe.ts")] }).output();
    await Deno.symlink("/dev/zero", join(root, "device.ts"));
    using large = await Deno.create(join(root, "large.ts"));
    await large.truncate(17 * 1_048_576);
    const rows = {
      "pipe.ts": "it is no regular file",
      "device.ts": "it is no regular file",
      "large.ts": "it has over 16 MB",
      ".": "it is a folder",
    };
    for (const [name, why] of Object.entries(rows)) {
      for (const [command, verb] of [["exec", "run"], ["lint", "lint"]] as const) {
        await t.step(`${command} ${name}`, async () => {
          const { code, stderr } = await cli([command, name], { ...place, through });
          assert.equal(code, 2, stderr);
          assert.match(stderr, new RegExp(`Cannot ${verb} "${name}": ${why}: check the path`));
        });
      }
    }
    for (const name of ["-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"]) {
      await t.step(`exec ${name}`, async () => {
        const { stdout, stderr } = await cli(["exec", name], {
          ...place,
          stdin: "return 7",
          through,
        });
        assert.equal(stdout, "7\n", stderr);
      });
    }
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});
