import assert from "node:assert/strict";
import { join } from "node:path";
import { findGateways } from "#gateway/running";
import { cli } from "../support/cli.ts";

interface Session {
  readonly home: string;
  readonly project: string;
  readonly envFile: string;
  hook(name: string, input: unknown): ReturnType<typeof cli>;
}

async function withSession(test: (session: Session) => Promise<void>): Promise<void> {
  const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "toolscript hook '" }));
  const [home, project] = [join(root, "home"), join(root, "project")];
  await Deno.mkdir(home);
  await Deno.mkdir(project);
  const envFile = join(root, "env.sh");
  const hook = (name: string, input: unknown) =>
    // A busy machine is no reason to fail: how long it takes is measured elsewhere.
    cli(["hook", name, ...(name === "session-start" ? ["--timeout", "60"] : [])], {
      home,
      cwd: root,
      env: { CLAUDE_ENV_FILE: envFile },
      stdin: typeof input === "string" ? input : JSON.stringify(input),
    });
  try {
    await test({ home, project, envFile, hook });
  } finally {
    await cli(["gateway", "stop", "--all"], { home, cwd: root });
    await Deno.remove(root, { recursive: true });
  }
}

Deno.test("TSX-17 the SessionStart hook sets TOOLSCRIPT_GATEWAY_URL for the session", async () => {
  await withSession(async ({ home, project, envFile, hook }) => {
    const input = { session_id: "s-1", cwd: project, hook_event_name: "SessionStart" };
    await Deno.writeTextFile(envFile, "export OTHER=1");
    const started = await hook("session-start", { ...input, source: "startup" });
    assert.deepEqual([started.code, started.stdout, started.stderr], [0, "", ""]);
    const [gateway] = await findGateways(home);
    assert.ok(gateway?.shared);
    assert.deepEqual([gateway.session, gateway.project], ["s-1", project]);

    // What the agent's shell makes of it, and what a toolscript sees of it.
    const script = 'return Deno.env.get("TOOLSCRIPT_GATEWAY_URL")';
    const shell = await new Deno.Command("sh", {
      args: ["-c", `. "$1"; printf %s "$OTHER $TOOLSCRIPT_GATEWAY_URL"`, "sh", envFile],
    }).output();
    assert.equal(new TextDecoder().decode(shell.stdout), `1 ${gateway.url}`);
    const env = { TOOLSCRIPT_GATEWAY_URL: gateway.url };
    const seen = await cli(["exec", "-e", script], { home, cwd: project, env });
    assert.ok(JSON.parse(seen.stdout).startsWith(gateway.url), seen.stdout + seen.stderr);

    for (const source of ["resume", "clear", "compact"]) {
      const again = await hook("session-start", { ...input, source });
      assert.equal(again.code, 0, again.stderr);
    }
    assert.equal((await findGateways(home)).length, 1);
    const text = await Deno.readTextFile(envFile);
    assert.equal(text, `export OTHER=1\nexport TOOLSCRIPT_GATEWAY_URL=${gateway.url}\n`);

    const ended = await hook("session-end", { ...input, hook_event_name: "SessionEnd" });
    assert.deepEqual([ended.code, ended.stdout, ended.stderr], [0, "", ""]);
    assert.deepEqual(await findGateways(home), []);
    await assert.rejects(fetch(`${gateway.url}/health`));

    const later = await hook("session-start", input);
    assert.equal(later.code, 0, later.stderr);
    const lines = (await Deno.readTextFile(envFile)).trim().split("\n");
    assert.deepEqual(lines.length, 2, "the old address is replaced");
    assert.ok(lines[1]?.endsWith((await findGateways(home))[0]?.url ?? "?"));
  });
});

Deno.test("two SessionStarts at once leave one gateway, two sessions two", async () => {
  await withSession(async ({ home, project, hook }) => {
    const input = { session_id: "a", cwd: project };
    const results = await Promise.all([
      hook("session-start", input),
      hook("session-start", input),
    ]);
    assert.deepEqual(results.map(({ code }) => code), [0, 0], JSON.stringify(results));
    assert.deepEqual((await findGateways(home)).map(({ session }) => session), ["a"]);
    await hook("session-start", { ...input, session_id: "b" });
    await hook("session-end", input);
    assert.deepEqual((await findGateways(home)).map(({ session }) => session), ["b"]);
  });
});

Deno.test("a hook with invalid input reports it in one line and starts nothing", async (t) => {
  await withSession(async ({ home, hook }) => {
    const rubbish = ["", "no json", "[]", "{}", '{"session_id": 5}', '{"session_id": "a b; rm"}', {
      session_id: "s",
      cwd: "relative",
    }, { session_id: "s", cwd: "/no/such/folder" }];
    for (const input of rubbish) {
      await t.step(JSON.stringify(input), async () => {
        const { code, stdout, stderr } = await hook("session-start", input);
        assert.deepEqual([code, stdout], [1, ""]);
        assert.match(stderr, /^Error: Cannot read the hook's input.*nothing was started\n$/);
      });
    }
    assert.deepEqual(await findGateways(home), []);
  });
});
