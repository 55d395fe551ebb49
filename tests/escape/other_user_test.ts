/** Other users of the host: they read command lines, and listen where nobody else does. */

import assert from "node:assert/strict";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { removeRunFile, writeRunFile } from "#gateway";
import { findGateways } from "#gateway/running";
import { openBrowser } from "../../cli/ui/open_browser.ts";
import { type CallbackPage, listenForCallback } from "../../packs/mcp/auth/flow/callback.ts";
import { issueCode } from "../gateway/page/browser_session.ts";
import { cli } from "../support/cli.ts";
import { waitForText } from "../support/files.ts";
import { delay, openGateway } from "../support/gateway.ts";
import { freePort } from "../support/port.ts";

const CONFIG = fileURLToPath(new URL("../../deno.json", import.meta.url));
const OTHER = 65534;
/** Only root can be another user here, and only Linux tells whose a connection is. */
const ignore = Deno.uid() !== 0 || Deno.build.os !== "linux";

/** Status and cookie that another user gets for an address. */
async function visitAsOther(url: string): Promise<{ status: number; cookie: string | null }> {
  return JSON.parse(
    await runAsOther(`const response = await fetch(${JSON.stringify(url)}, { redirect: "manual" });
    const { status, headers } = response;
    console.log(JSON.stringify({ status, cookie: headers.get("set-cookie") }));`),
  );
}

let copying: Promise<string> | undefined;

/** A folder of the other user with Deno, which may lie in the home folder of the user; it stays until
 * the tests end. */
async function copyDeno(): Promise<string> {
  const folder = await Deno.makeTempDir({ prefix: "toolscript-other-" });
  addEventListener("unload", () => Deno.removeSync(folder, { recursive: true }));
  await Deno.chown(folder, OTHER, OTHER);
  // A copy by this process could not be started while a process that another test starts holds it.
  const to = join(folder, "deno");
  const copy = await new Deno.Command("cp", { args: [Deno.execPath(), to] }).output();
  assert.ok(copy.success, new TextDecoder().decode(copy.stderr));
  await Deno.chmod(to, 0o755);
  return folder;
}

/** Output of code that another user runs. */
async function runAsOther(code: string): Promise<string> {
  const folder = await (copying ??= copyDeno());
  const { stdout, stderr } = await new Deno.Command(join(folder, "deno"), {
    args: ["eval", "--no-config", "--no-lock", `if (Deno.uid() !== ${OTHER}) throw 1;\n${code}`],
    cwd: "/",
    uid: OTHER,
    gid: OTHER,
    clearEnv: true,
    env: { DENO_DIR: folder, HOME: folder, NO_COLOR: "1" },
  }).output();
  const text = new TextDecoder().decode(stdout);
  assert.notEqual(text, "", new TextDecoder().decode(stderr));
  return text;
}

Deno.test({
  name: "a code of the page is of no use to another user, and stays good for its own",
  ignore,
  async fn(t) {
    for (const host of ["127.0.0.1", "::1"]) {
      await t.step(host, async () => {
        await using gateway = await openGateway({ gateway: { host } });
        for (const _ of ["first", "next"]) {
          const link = `${gateway.url}/?code=${await issueCode(gateway)}`;
          assert.deepEqual(await visitAsOther(link), { status: 401, cookie: null });
          assert.deepEqual(await visitAsOther(link), { status: 401, cookie: null });
          const response = await fetch(link, { redirect: "manual" });
          await response.body?.cancel();
          assert.equal(response.status, 303);
        }
      });
    }
  },
});

Deno.test({
  name: "another user answers no sign-in, whatever it knows of it",
  ignore,
  async fn() {
    await using listener = listenForCallback();
    const taken: string[] = [];
    listener.take((parameters): Promise<CallbackPage> => {
      taken.push(parameters.get("code") ?? "");
      return Promise.resolve("done");
    });
    const { status } = await visitAsOther(`${listener.url}?code=theirs&state=s`);
    assert.equal(status, 404);
    // A connection that its process has closed, or reset, is no longer shown as that user's.
    const { host, port, pathname } = new URL(listener.url);
    const request = `GET ${pathname}?code=closed&state=s HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
    const ended = await runAsOther(
      `const bytes = new TextEncoder().encode(${JSON.stringify(request)});
      for (let n = 0; n < 200; n++) {
        const connection = await Deno.connect({ hostname: "127.0.0.1", port: ${port} });
        await connection.write(bytes);
        if (n % 2) await connection.write(bytes);
        connection.close();
      }
      console.log("ended");`,
    );
    assert.equal(ended, "ended\n");
    const response = await fetch(`${listener.url}?code=own&state=s`);
    await response.body?.cancel();
    assert.equal(response.status, 200);
    assert.deepEqual(taken, ["own"]);
  },
});

Deno.test("macOS' browser gets an address that no command line holds", async () => {
  const root = await Deno.makeTempDir({ prefix: "toolscript-browser-" });
  try {
    const program = `#!/bin/sh\n{ echo "$@"; cat; } > ${root}/new\nmv ${root}/new ${root}/got\n`;
    await Deno.writeTextFile(join(root, "osascript"), program, { mode: 0o755 });
    const env = { PATH: `${root}:/usr/bin:/bin` };
    const url = 'http://127.0.0.1:1/?code=a"&b';
    assert.ok(await openBrowser(url, { env, os: "darwin", project: "/project", home: "/" }));
    const text = await waitForText(join(root, "got"));
    assert.equal(text, '-\nopen location "http://127.0.0.1:1/?code=a%22&b"\n');
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});

Deno.test("the token goes to the gateway's own address, however a person names it", async (t) => {
  const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "toolscript-named-" }));
  const [home, cwd] = [join(root, "home"), join(root, "project")];
  for (const folder of [home, cwd]) await Deno.mkdir(folder);
  const got: (string | null)[] = [];
  try {
    await cli(["gateway", "start", "--detach"], { home, cwd });
    const [gateway] = await findGateways(home);
    const port = Number(new URL(gateway?.url ?? "").port);
    await using _other = Deno.serve({ hostname: "::1", port, onListen() {} }, (request) => {
      got.push(request.headers.get("authorization"));
      return Response.json({ status: "ok", version: "0.1.0" });
    });
    for (
      const url of [`http://[::1]:${port}`, `http://[::1]:${port}/`, `http://localhost:${port}`]
    ) {
      await t.step(url.replace(String(port), "PORT"), async () => {
        for (const isOption of [true, false]) {
          const args = ["run", "1+1", ...isOption ? ["--gateway", url] : []];
          const env = { TOOLSCRIPT_GATEWAY_URL: isOption ? "" : url };
          const { stdout, stderr } = await cli(args, { home, cwd, env });
          assert.equal(stdout, "2\n", stderr);
        }
      });
    }
    assert.deepEqual(got, []);
  } finally {
    await cli(["gateway", "stop", "--all"], { home, cwd });
    await Deno.remove(root, { recursive: true });
  }
});

Deno.test({
  name: "nothing is sent to a program of another user where a named gateway has ended",
  ignore,
  async fn() {
    const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "toolscript-ended-" }));
    const url = `http://127.0.0.1:${await freePort()}`;
    try {
      await using other = await serveAsOther("127.0.0.1", Number(new URL(url).port));
      for (
        const host of ["127.0.0.1", "localhost", "0.0.0.0", "[::ffff:127.0.0.1]"]
      ) {
        const named = url.replace("127.0.0.1", host);
        const env = { TOOLSCRIPT_GATEWAY_URL: named, TOOLSCRIPT_TOKEN: "of-the-user" };
        const { code, stderr } = await cli(["run", "1+1"], { home: root, cwd: root, env });
        assert.equal(code, 3, stderr);
        assert.match(stderr, /a program of another user answers there/);
      }
      assert.deepEqual(await other.requests(), []);
    } finally {
      await Deno.remove(root, { recursive: true });
    }
  },
});

Deno.test({
  name: "the token goes to no program of another user that has the port of a gateway",
  ignore,
  async fn(t) {
    const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "toolscript-taken-" }));
    const [home, cwd] = [join(root, "home"), join(root, "project")];
    for (const folder of [home, cwd]) await Deno.mkdir(folder);
    await cli(["gateway", "start", "--detach"], { home, cwd });
    const [gateway] = await findGateways(home);
    assert.ok(gateway);
    const port = Number(new URL(gateway.url).port);
    try {
      await t.step("one at another address keeps nobody from the gateway", async () => {
        await using _other = await serveAsOther("127.0.0.2", port);
        assert.equal((await cli(["token"], { home, cwd })).stdout, `${gateway.token}\n`);
      });
      await cli(["gateway", "stop", "--all"], { home, cwd });
      await using other = await serveAsOther("127.0.0.1", port);
      // As if the gateway was still there.
      const { auto: _auto, ...entry } = gateway;
      const file = await writeRunFile({ ...entry, home });
      await t.step("without a name", async () => {
        const { stdout, stderr } = await cli(["run", "1+1"], { home, cwd });
        assert.equal(stdout, "2\n", stderr);
      });
      await t.step("by its name", async () => {
        const { code, stderr } = await cli(["run", "1+1", "--gateway", gateway.url], { home, cwd });
        assert.equal(code, 3, stderr);
        assert.match(stderr, /a program of another user answers there/);
      });
      assert.deepEqual(await other.requests(), []);
      await removeRunFile(file);
    } finally {
      await Deno.remove(root, { recursive: true });
    }
  },
});

interface OtherServer extends AsyncDisposable {
  /** Requests so far, but for those of health. */
  requests(): Promise<string[]>;
}

/** Listens as another user, and answers as a gateway does. */
async function serveAsOther(hostname: string, port: number): Promise<OtherServer> {
  const url = `http://${hostname}:${port}`;
  const ended = runAsOther(`const got = [];
    const { promise, resolve } = Promise.withResolvers();
    const server = Deno.serve({ hostname: "${hostname}", port: ${port} }, (request) => {
      const { pathname } = new URL(request.url);
      if (pathname === "/stop") resolve();
      else if (pathname === "/got") return Response.json(got);
      else if (!/^\\/(?:up|health)$/.test(pathname)) got.push(pathname);
      return Response.json({ status: "ok", version: "0.1.0" });
    });
    await promise;
    await server.shutdown();
    console.log("ended");`);
  while (!await fetch(`${url}/up`).then((response) => response.text(), () => "")) await delay(50);
  return {
    requests: async () => await (await fetch(`${url}/got`)).json(),
    async [Symbol.asyncDispose]() {
      await (await fetch(`${url}/stop`)).text();
      await ended;
    },
  };
}

Deno.test("no command goes to a named gateway whose token nobody knows", async () => {
  const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "toolscript-unknown-" }));
  const got: string[] = [];
  await using server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (request) => {
    if (!request.url.endsWith("/health")) got.push(request.url);
    return Response.json({ status: "ok", version: "0.1.0" });
  });
  try {
    const env = { TOOLSCRIPT_GATEWAY_URL: `http://127.0.0.1:${server.addr.port}` };
    const { code, stderr } = await cli(["run", "1+1"], { home: root, cwd: root, env });
    assert.equal(code, 3, stderr);
    assert.match(stderr, /no gateway of yours runs there, and TOOLSCRIPT_TOKEN is not set/);
    assert.deepEqual(got, []);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});

Deno.test("no program of the open project is started as the browser", async () => {
  const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "toolscript-browser-" }));
  const link = `${root}-link`;
  try {
    const program = `#!/bin/sh\n: > ${root}/started\n`;
    await Deno.writeTextFile(join(root, "xdg-open"), program, { mode: 0o755 });
    const code = `import { openBrowser } from ${
      JSON.stringify(import.meta.resolve("../../cli/ui/open_browser.ts"))
    };
      const env = Deno.env.toObject();
      console.log(await openBrowser("http://127.0.0.1:1/", { env, os: "linux", project: Deno.cwd(), home: "/" }));`;
    const bin = join(root, "node_modules/.bin");
    await Deno.mkdir(bin, { recursive: true });
    for (const name of ["xdg-open", "lynx"]) {
      await Deno.writeTextFile(join(bin, name), program, { mode: 0o755 });
    }
    await Deno.symlink(root, link);
    const rows = [
      { PATH: bin, BROWSER: "" },
      { PATH: bin, BROWSER: "lynx" },
      { PATH: join(link, "node_modules/.bin"), BROWSER: "" },
      { PATH: "/proc/self/cwd/node_modules/.bin", BROWSER: "" },
      { PATH: ".:./bin", BROWSER: "" },
      { PATH: "", BROWSER: "" },
      { PATH: "", BROWSER: "./xdg-open" },
      { PATH: "", BROWSER: `../${basename(root)}/xdg-open` },
    ];
    for (const env of rows) {
      const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
        args: ["eval", `--config=${CONFIG}`, code],
        cwd: root,
        env,
      }).output();
      assert.equal(new TextDecoder().decode(stdout), "false\n", new TextDecoder().decode(stderr));
    }
    await assert.rejects(Deno.stat(join(root, "started")), Deno.errors.NotFound);
  } finally {
    await Deno.remove(link).catch(() => {});
    await Deno.remove(root, { recursive: true });
  }
});
