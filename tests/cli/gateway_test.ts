import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { findGateways, processIdentity } from "#gateway/running";
import { cli, cliCommand } from "../support/cli.ts";
import { delay } from "../support/gateway.ts";

async function withFolders(test: (home: string, project: string) => Promise<void>): Promise<void> {
  const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "toolscript-cli-" }));
  const [home, project] = [join(root, "home"), join(root, "project")];
  await Deno.mkdir(home);
  await Deno.mkdir(join(project, ".onetool"), { recursive: true });
  try {
    await test(home, project);
  } finally {
    await cli(["gateway", "stop", "--all"], { home, cwd: root });
    await Deno.remove(root, { recursive: true });
  }
}

Deno.test("gateway start, status and stop", async () => {
  await withFolders(async (home, cwd) => {
    const at = { home, cwd };
    const first = await cli(["gateway", "start", "--detach"], at);
    assert.equal(first.code, 0, first.stderr);
    assert.match(first.stdout, /^Listening on http:\/\/127\.0\.0\.1:\d+\n$/);

    const second = await cli(["gateway", "start"], at);
    assert.deepEqual([second.code, second.stdout], [0, first.stdout]);

    const run = join(home, ".onetool", "run");
    const [entry] = await findGateways(home);
    assert.ok(entry && entry.shared && entry.project === cwd && entry.session === null);
    assert.equal((await Deno.stat(run)).mode, 0o40700);
    assert.equal((await Deno.stat(join(run, `${entry.pid}.json`))).mode, 0o100600);

    const status = await cli(["gateway", "status", "--json"], at);
    const [listed] = JSON.parse(status.stdout);
    assert.equal(status.code, 0);
    assert.equal(listed.url, entry.url);
    assert.equal(listed.status.version, entry.version);
    assert.ok(!status.stdout.includes(entry.token));

    const port = new URL(entry.url).port;
    for (const url of [entry.url, `http://localhost:${port}/`]) {
      const named = await cli(["gateway", "status", "--json", "--gateway", url], at);
      assert.deepEqual([named.code, JSON.parse(named.stdout)[0].pid], [0, entry.pid]);
    }

    const result = await cli(["exec", "-e", "return 1"], at);
    assert.deepEqual([result.code, result.stdout], [0, "1\n"]);
    assert.equal((await findGateways(home)).length, 1);

    const stopped = await cli(["gateway", "stop"], at);
    assert.equal(stopped.code, 0, stopped.stderr);
    assert.deepEqual(await findGateways(home), []);
    await assert.rejects(fetch(`${entry.url}/health`));
    assert.equal((await cli(["gateway", "stop"], at)).code, 3);
    assert.equal((await cli(["gateway", "status"], at)).code, 3);
  });
});

Deno.test("gateway status exits 3 where no gateway answers", async (t) => {
  await withFolders(async (home, cwd) => {
    await using other = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, () => {
      return new Response("no gateway");
    });
    for (const url of ["http://127.0.0.1:1", `http://127.0.0.1:${other.addr.port}`]) {
      await t.step(url === "http://127.0.0.1:1" ? "nothing" : "another server", async () => {
        for (const more of [[], ["--json"]]) {
          const argv = ["gateway", "status", "--gateway", url, ...more];
          const { code, stdout, stderr } = await cli(argv, { home, cwd });
          assert.deepEqual([code, stdout], [3, ""]);
          assert.match(stderr, /Cannot reach the gateway at .*: it does not answer/);
        }
      });
    }
    await t.step("a gateway whose process hangs", async () => {
      const run = join(home, ".onetool", "run");
      await Deno.mkdir(run, { recursive: true, mode: 0o700 });
      const entry = { url: "http://127.0.0.1:1", token: "t", project: cwd, shared: true };
      const file = join(run, `${Deno.pid}.json`);
      const process = await processIdentity(Deno.pid);
      const text = JSON.stringify({ ...entry, pid: Deno.pid, process });
      await Deno.writeTextFile(file, text, { mode: 0o600 });
      const { code, stdout } = await cli(["gateway", "status"], { home, cwd });
      await Deno.remove(file).catch(() => {});
      assert.equal(code, 3);
      assert.match(stdout, /^http:\/\/127\.0\.0\.1:1 .*\n {2}does not answer\n$/);
    });
  });
});

Deno.test("two starts at once end with one gateway", async () => {
  await withFolders(async (home, cwd) => {
    const start = () => cli(["gateway", "start", "--detach"], { home, cwd });
    const [a, b] = await Promise.all([start(), start()]);
    assert.deepEqual([a.code, b.code], [0, 0], a.stderr + b.stderr);
    assert.equal(a.stdout, b.stdout);
    assert.equal((await findGateways(home)).length, 1);
  });
});

Deno.test("a plan lives in a shared gateway, which is started where none runs", async () => {
  await withFolders(async (home, cwd) => {
    const command = "ot.notify(topic='notes', message='x')\n'done'";
    const made = await cli(["run", "--json", "--plan", command], { home, cwd });
    assert.equal(made.code, 0, made.stderr);
    const { plan } = JSON.parse(made.stdout);
    assert.equal(plan.calls.length, 1);
    const run = await cli(["run", `--plan=${plan.id}`, command], { home, cwd });
    assert.deepEqual([run.code, run.stdout.trim()], [0, "done"], run.stderr);
    assert.equal((await findGateways(home)).length, 1);
  });
});

Deno.test("gateway start in the foreground ends gracefully on SIGTERM", async () => {
  await withFolders(async (home, cwd) => {
    const child = cliCommand(["gateway", "start"], { home, cwd }).spawn();
    const reader = child.stdout.getReader();
    const line = new TextDecoder().decode((await reader.read()).value);
    assert.match(line, /^Listening on http/);
    child.kill("SIGTERM");
    const [{ code }] = await Promise.all([child.status, child.stderr.cancel()]);
    await reader.cancel();
    assert.equal(code, 0);
    assert.deepEqual(await findGateways(home), []);
  });
});

Deno.test("gateway start reports why it cannot start", async () => {
  await withFolders(async (home, cwd) => {
    const taken = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const port = String(taken.addr.transport === "tcp" ? taken.addr.port : 0);
    for (const words of [["--port", port], ["--port", port, "--detach"]]) {
      const { code, stderr } = await cli(["gateway", "start", ...words], { home, cwd });
      assert.equal(code, 1);
      assert.match(stderr, /^Error: Cannot listen on 127\.0\.0\.1:\d+: the port is taken/);
    }
    taken.close();
    await Deno.writeTextFile(join(cwd, ".onetool/onetool.yaml"), "sandbox: 3\n");
    const { code, stderr } = await cli(["gateway", "start", "--detach"], { home, cwd });
    assert.equal(code, 2);
    assert.match(stderr, /onetool\.yaml:1:10/);
  });
});

Deno.test("findGateways() removes files of ended processes, of reused pids and without identity", async () => {
  await withFolders(async (home, cwd) => {
    const run = join(home, ".onetool", "run");
    await Deno.mkdir(run, { recursive: true, mode: 0o700 });
    const ended = new Deno.Command("true").spawn();
    await ended.status;
    const entry = { url: "http://127.0.0.1:1", token: "t", project: cwd, shared: true };
    const write = (pid: number, more: Record<string, unknown>, mode = 0o600) =>
      Deno.writeTextFile(join(run, `${pid}.json`), JSON.stringify({ ...entry, pid, ...more }), {
        mode,
      });
    await write(ended.pid, {});
    for (const process of ["of another time", undefined, null]) {
      await write(Deno.pid, { process });
      assert.deepEqual(await findGateways(home), []);
      assert.deepEqual([...Deno.readDirSync(run)], []);
    }

    await write(Deno.pid, {}, 0o644);
    await Deno.chmod(join(run, `${Deno.pid}.json`), 0o644);
    assert.deepEqual(await findGateways(home), [], "a file that others may write is not believed");
    await delay(0);
  });
});

Deno.test("OT-14 gateway reload and SIGHUP reload the configuration", async () => {
  await withFolders(async (home, cwd) => {
    const at = { home, cwd };
    const file = join(cwd, ".onetool", "onetool.yaml");
    const aliases = async () => {
      const { code, stdout, stderr } = await cli(["run", "ot.aliases(info='list').join()"], at);
      assert.equal(code, 0, stderr);
      return stdout.trim();
    };
    assert.equal((await cli(["gateway", "reload"], at)).code, 3);
    assert.equal((await cli(["gateway", "start", "--detach"], at)).code, 0);
    const [{ pid } = { pid: 0 }] = await findGateways(home);

    await Deno.writeTextFile(file, "alias: {a: ot.version}\n");
    const first = await cli(["gateway", "reload"], at);
    assert.deepEqual([first.code, first.stdout], [0, "alias: added a\n"], first.stderr);
    const [entry] = await findGateways(home);
    assert.deepEqual([entry?.pid, entry?.config], [pid, file]);
    assert.equal(await aliases(), "a");

    await Deno.writeTextFile(file, "alias: 7\n");
    const wrong = await cli(["gateway", "reload"], at);
    assert.equal(wrong.code, 2);
    assert.match(wrong.stderr, /onetool\.yaml:1:8: .*the one before stays in use/);

    await Deno.writeTextFile(file, "alias: {a: ot.version, b: ot.version}\n");
    Deno.kill(pid, "SIGHUP");
    for (let tries = 0; tries < 600 && await aliases() !== "a,b"; tries++) await delay(100);
    assert.equal(await aliases(), "a,b");
  });
});

Deno.test("token prints the token of the project's gateway, also as headers", async () => {
  await withFolders(async (home, cwd) => {
    const at = { home, cwd };
    assert.equal((await cli(["token"], at)).code, 3);
    await cli(["gateway", "start", "--detach"], at);
    const [entry] = await findGateways(home);
    assert.equal((await cli(["token"], at)).stdout, `${entry?.token}\n`);
    const { stdout } = await cli(["token", "--headers"], at);
    assert.deepEqual(JSON.parse(stdout), { Authorization: `Bearer ${entry?.token}` });
  });
});

Deno.test("a run file tells nothing of the variables' values to whoever guesses them", async () => {
  await withFolders(async (home, cwd) => {
    const config = { servers: { off: { command: "true", enabled: false, env: { A: "${PIN}" } } } };
    await Deno.writeTextFile(join(cwd, ".onetool", "onetool.yaml"), JSON.stringify(config));
    const started = await cli(["gateway", "start", "--detach"], {
      home,
      cwd,
      env: { PIN: "1234" },
    });
    assert.equal(started.code, 0, started.stderr);
    const [entry] = await findGateways(home);
    const guess = createHash("sha256").update(JSON.stringify([["PIN", "1234"]])).digest("hex");
    assert.match(entry?.variables ?? "", /^[0-9a-f]{64}$/);
    assert.notEqual(entry?.variables, guess);
    const key = await Deno.stat(join(home, ".onetool", "run", "variables.key"));
    assert.equal(key.mode, 0o100600);
  });
});

Deno.test("a command uses a shared gateway that has its values of the variables", async () => {
  await withFolders(async (home, cwd) => {
    const server = { command: "true", enabled: false, env: { A: "${SHARED_VALUE:-none}" } };
    const config = { servers: { off: server } };
    await Deno.writeTextFile(join(cwd, ".onetool", "onetool.yaml"), JSON.stringify(config));
    const at = (value: string) => ({ home, cwd, env: { SHARED_VALUE: value } });
    assert.equal((await cli(["gateway", "start", "--detach"], at("one"))).code, 0);
    const [entry] = await findGateways(home);
    const code = "return new URL(Deno.env.get('TOOLSCRIPT_GATEWAY_URL') ?? '').origin";
    for (const words of [["exec", "-e", code], ["run", code]]) {
      const [same, other] = [await cli(words, at("one")), await cli(words, at("two"))];
      assert.deepEqual([same.code, other.code], [0, 0], same.stderr + other.stderr);
      assert.ok(same.stdout.includes(entry?.url ?? "none"), same.stdout);
      assert.match(other.stdout, /http:\/\/127/);
      assert.ok(!other.stdout.includes(entry?.url ?? "none"), other.stdout);
    }
  });
});
