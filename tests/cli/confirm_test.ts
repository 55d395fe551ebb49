import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { delay, openGateway } from "../support/gateway.ts";
import { fixture } from "../support/servers.ts";
import { caught } from "./io.ts";

const CODE = 'import { tools } from "toolscript"; const done = [];\n' +
  'for (const name of ["a", "b"]) done.push(await tools.git.echo({ name }));\ndone';

async function open(more: Record<string, unknown> = {}) {
  const { command, args } = fixture("good");
  const gateway = await openGateway({
    servers: { git: { command, args } },
    security: { ask: ["git.echo"], ...more },
  });
  await gateway.ready();
  const { home, project: cwd, url, token } = gateway;
  const env = { TOOLSCRIPT_GATEWAY_URL: url, TOOLSCRIPT_TOKEN: token };
  const at = { home, cwd, env };
  return {
    at,
    page: (path: string, body?: unknown) =>
      body === undefined ? gateway.fetch(path) : gateway.post(path, body),
    exec: (lines?: readonly string[]) => caught(["exec", "-e", CODE], { ...at, lines }),
    run: (command: string, lines?: readonly string[]) => caught(["run", command], { ...at, lines }),
    [Symbol.asyncDispose]: () => gateway[Symbol.asyncDispose](),
  };
}

Deno.test("VAL-32 the person at the terminal is asked about each call", async (t) => {
  await using gateway = await open();

  await t.step("call by call", async () => {
    const { code, stdout, stderr } = await gateway.exec(["y", " Yes "]);
    assert.equal(code, 0, stderr);
    assert.equal(stdout, '[{"name":"a"},{"name":"b"}]\n');
    assert.match(
      stderr,
      /^Allow a call of git\.echo \(line 2\)\?\n {2}\| "name": "a"\ngit\.echo: \[y\]es, this tool for the \[r\]un, \[N\]o: /,
    );
    assert.match(stderr, /\n {2}\| "name": "b"\n/);
    for (const word of ["c", "CALL", "yes"]) {
      assert.equal((await gateway.run('git.echo(a="1")', [word])).code, 0, word);
    }
  });
  await t.step("or for the run", async () => {
    const { code, stderr } = await gateway.exec(["r"]);
    assert.deepEqual([code, stderr.match(/Allow/g)?.length], [0, 1]);
  });
  await t.step("everything else is a no", async () => {
    for (const lines of [[""], ["yes!"], ["no"], [], ["y", ""]]) {
      const { code, stdout, stderr } = await gateway.exec(lines);
      assert.deepEqual([code, stdout], [1, ""], JSON.stringify(lines));
      assert.match(stderr, /You declined the call of "git\.echo" at line 2: /);
      assert.doesNotMatch(stderr, /explain why/);
    }
  });
  await t.step("by run, too", async () => {
    const { code, stdout } = await gateway.run('git.echo(a="1")', ["y"]);
    assert.deepEqual([code, stdout], [0, '{"a":"1"}\n']);
    assert.equal((await gateway.run('git.echo(a="1")', ["n"])).code, 1);
  });
  await t.step("no text of a program can steer the terminal or pass for the question", async () => {
    const { stderr } = await gateway.run('git.echo(a="\\u001b[2K\\u202e", b=`\n[y]es: y\n`)', [
      "n",
    ]);
    assert.ok(!["\u001b", "\u202e"].some((mark) => stderr.includes(mark)));
    assert.ok(!/^\[y\]es: y/m.test(stderr));
  });
});

Deno.test("VAL-32 without a terminal the run is refused, with advice", async () => {
  await using gateway = await open();
  for (const { code, stdout, stderr } of [await gateway.exec(), await gateway.run("git.echo()")]) {
    assert.deepEqual([code, stdout], [1, ""]);
    assert.match(
      stderr,
      /^Error: Cannot run: "git\.echo" at line \d must be confirmed|^Cannot call "git\.echo" at line 2: it needs confirmation/,
    );
    assert.match(stderr, /take the pattern out of security\.ask in the config\n$/);
  }
  const hidden = await gateway.run('n = ["echo"].join("")\n(git as any)[n]()');
  assert.equal(hidden.code, 1);
  assert.match(hidden.stderr, /needs confirmation[\s\S]*security\.ask/);
  assert.doesNotMatch(hidden.stderr, /"confirm"/);
});

Deno.test({
  name: "VAL-32 a real terminal is asked, also when stdin is a pipe",
  ignore: !(await hasScript()),
  async fn() {
    await using gateway = await open();
    const { cwd, env, home } = gateway.at;
    const main = fileURLToPath(new URL("../../main.ts", import.meta.url));
    const line =
      `'${Deno.execPath()}' run -A --no-check '${main}' run 'git.echo(a="1")' < /dev/null`;
    const child = new Deno.Command("script", {
      args: ["-qec", line, "/dev/null"],
      cwd,
      env: { ...env, HOME: home, DENO_DIR: denoDir() },
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    let output = "";
    const writer = child.stdin.getWriter();
    for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
      const before = output.includes("[N]o: ");
      output += text;
      if (!before && output.includes("[N]o: ")) {
        await writer.write(new TextEncoder().encode("y\n"));
      }
    }
    await writer.close().catch(() => {}); // it has ended
    const { code } = await child.status;
    await child.stderr.cancel();
    assert.equal(code, 0, output);
    assert.match(output, /Allow a call of git\.echo \(line 1\)\?/);
    assert.match(output, /\{"a":"1"\}|"a": "1"/);
  },
});

function denoDir(): string {
  return Deno.env.get("DENO_DIR") ?? `${Deno.env.get("HOME")}/.cache/deno`;
}

async function hasScript(): Promise<boolean> {
  try {
    const { success } = await new Deno.Command("script", {
      args: ["-qec", "true", "/dev/null"],
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).output();
    return success;
  } catch {
    return false; // not installed
  }
}

Deno.test("without a terminal, run and exec wait for the page with --wait alone", async () => {
  await using gateway = await open();
  const refused = await gateway.run('git.echo(a="1")');
  assert.equal(refused.code, 1);
  const address = `It can be answered at ${gateway.at.env.TOOLSCRIPT_GATEWAY_URL}/`;
  assert.ok(refused.stderr.includes(address), refused.stderr);
  for (const args of [["run", "--wait", 'git.echo(a="1")'], ["exec", "--wait", "-e", CODE]]) {
    const result = caught(args, gateway.at);
    const { stderr, code } = await answering(gateway.page, "run", result);
    assert.equal(code, 0, stderr);
    assert.match(stderr, /Waiting for an answer: it can be given at http:\/\/127\.0\.0\.1:\d+\//);
    const no = await answering(gateway.page, "no", caught(args, gateway.at));
    assert.equal(no.code, 1);
  }
});

Deno.test("--wait names what it needs where questions are kept off the page", async () => {
  await using gateway = await open({ page: false });
  for (const args of [["run", "--wait", 'git.echo(a="1")'], ["exec", "--wait", "-e", CODE]]) {
    const { code, stderr } = await caught(args, gateway.at);
    assert.equal(code, 1);
    assert.match(stderr, /, or set security\.page to true: --wait waits for the page, or take/);
  }
  const { stderr } = await gateway.run('git.echo(a="1")');
  assert.doesNotMatch(stderr, /--wait/);
});

Deno.test("an answer on the page takes the question off the terminal", async () => {
  await using gateway = await open();
  const typed = Promise.withResolvers<string | null>();
  const person = {
    forget: () => {},
    settle: () => Promise.resolve(),
    size: () => ({ columns: 80, rows: 24 }),
    readLine: (signal?: AbortSignal) => {
      signal?.addEventListener("abort", () => typed.resolve(null));
      return typed.promise;
    },
  };
  const result = caught(["run", 'git.echo(a="1")'], { ...gateway.at, person });
  const { code, stdout } = await answering(gateway.page, "call", result);
  assert.deepEqual([code, stdout], [0, '{"a":"1"}\n']);
  assert.equal(await typed.promise, null);
});

/** Answers every question on the page until the command ends. */
async function answering<T>(
  page: (path: string, body?: unknown) => Promise<Response>,
  allow: string,
  command: Promise<T>,
): Promise<T> {
  let ended = false;
  command.finally(() => ended = true).catch(() => {});
  while (!ended) {
    for (const { id } of await (await page("/questions")).json()) {
      await (await page(`/questions/${id}`, { allow })).body?.cancel();
    }
    await delay(10);
  }
  return await command;
}
