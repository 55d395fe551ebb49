/** Values of settings that come from the keychain, 1Password and programs. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { loadConfig } from "#config";
import { readSource } from "../../config/references/sources.ts";
import { openProject } from "./project.ts";

const MAIN = ".onetool/onetool.yaml";
const HOME = "~/.onetool/onetool.yaml";
const SERVER = 'servers: { a: { url: "https://a.example", headers: { A: "Bearer ${cmd:T}" } } }';

Deno.test("loadConfig() replaces ${cmd:NAME} by the first line that its program prints", async () => {
  await using it = await openProject({
    [MAIN]: `${SERVER}\ncommands: { T: [sh, -c, 'printf "k-1\\r\\nsecond\\n"; echo err >&2'] }`,
  });
  const { servers: [server], secrets, isPartial } = await it.load({
    env: { PATH: "/usr/bin:/bin" },
  });
  assert.ok(server?.kind === "auto");
  assert.deepEqual(server.headers, { A: "Bearer k-1" });
  assert.ok(secrets.includes("k-1"));
  assert.equal(isPartial, false);
});

Deno.test("loadConfig() runs a program once for all references, and not for a partial configuration", async () => {
  await using it = await openProject({
    [MAIN]: 'servers: { a: { command: x, env: { A: "${cmd:T}", B: "${cmd:T}" } } }\n' +
      "commands: { T: [sh, -c, 'echo one >> runs; echo v'] }",
  });
  const env = { TOOLSCRIPT_TRUST: "all", PATH: Deno.env.get("PATH") };
  const options = { env, home: it.home, cwd: it.project };
  const partial = await loadConfig({ ...options, isPartial: true });
  assert.equal(partial.isPartial, true);
  await assert.rejects(Deno.stat(join(it.project, "runs")), Deno.errors.NotFound);
  await loadConfig(options);
  assert.equal(await Deno.readTextFile(join(it.project, "runs")), "one\n");
});

Deno.test("loadConfig() names a reference that cannot be resolved, and shows none of its output", async (t) => {
  const rows: Record<string, [commands: string, message: RegExp]> = {
    "fails": ["T: [sh, -c, 'echo s3cret; echo s3cret >&2; exit 4']", /ended with exit code 4/],
    "prints nothing": ["T: [sh, -c, 'echo; echo s3cret']", /printed nothing/],
    "prints too much": ["T: [sh, -c, 'yes s3cret | head -c 70000']", /printed over 65536 bytes/],
    "is not there": ["T: [no-such-program-s]", /program "no-such-program-s" cannot be started/],
    "is not written": ["U: [x]", /no such command \| Add commands: \{ T:/],
  };
  for (const [name, [commands, message]] of Object.entries(rows)) {
    await t.step(name, async () => {
      await using it = await openProject({ [MAIN]: `${SERVER}\ncommands: { ${commands} }` });
      const [finding = "", ...rest] = await it.findings({ env: { PATH: "/usr/bin:/bin" } });
      assert.deepEqual(rest, []);
      assert.match(finding, /yaml:1:\d+ Cannot read "\$\{cmd:T\}": /);
      assert.match(finding, message);
      assert.doesNotMatch(finding, /s3cret/);
    });
  }
});

Deno.test("readSource() gives up on a program that does not end, and ends it", async () => {
  const folder = await Deno.makeTempDir();
  const command = ["sh", "-c", "echo $$ > pid; echo secret; exec sleep 600"];
  const options = { commands: { T: command }, env: Deno.env.toObject(), cwd: folder };
  const lookup = await readSource("cmd:T", { ...options, timeoutMs: 1_000 });
  assert.deepEqual(lookup, { reason: "there was no answer within 1 s", fix: "See why it waits" });
  const pid = (await Deno.readTextFile(join(folder, "pid"))).trim();
  await assert.rejects(Deno.stat(`/proc/${pid}/cwd`), Deno.errors.NotFound);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("loadConfig() reads ${op://…} through the program op", async () => {
  await using it = await openProject({
    [MAIN]: 'servers: { a: { url: "https://a.example", headers: { A: "${op://Work/crm/key}" } } }',
  });
  const bin = join(it.home, "bin");
  await Deno.mkdir(bin);
  await Deno.writeTextFile(
    join(bin, "op"),
    '#!/bin/sh\nprintf "%s,%s,%s,%s" "$#" "$1" "$2" "$3"\n',
  );
  await Deno.chmod(join(bin, "op"), 0o700);
  const { servers: [server] } = await it.load({ env: { PATH: `${bin}:/usr/bin:/bin` } });
  assert.ok(server?.kind === "auto");
  assert.deepEqual(server.headers, { A: "3,read,--no-newline,op://Work/crm/key" });
  const [finding = ""] = await it.findings({ env: { PATH: ".:/usr/bin:/bin" } });
  assert.match(finding, /Cannot read "\$\{op:\/\/Work\/crm\/key\}": the program "op" cannot be/);
});

Deno.test("loadConfig() says that the keychain does not have an entry", async () => {
  await using it = await openProject({
    [MAIN]: 'servers: { a: { command: x, env: { A: "${keychain:toolscript-test-none}" } } }',
  });
  const [finding = ""] = await it.findings();
  assert.match(
    finding,
    /Cannot read "\$\{keychain:toolscript-test-none\}": the (?:system's )?keychain/,
  );
  assert.match(finding, /\| Store a password for the service "toolscript" and the account/);
});

Deno.test("loadConfig() runs no command of a project before it is trusted", async () => {
  await using it = await openProject({
    [HOME]: "sandbox: { calls: 9 }",
    [MAIN]: 'servers: { a: { command: x, env: { A: "${cmd:T}", B: "${keychain:K}" } } }\n' +
      "commands: { T: [sh, -c, 'touch ran; echo v'] }",
  });
  const { trust } = await it.load({ env: { TOOLSCRIPT_TRUST: "" } });
  assert.equal(trust.kind, "untrusted");
  assert.ok(trust.items.starts.includes('command T: ["sh","-c","touch ran; echo v"]'));
  assert.deepEqual(trust.items.reads, ["command T", "keychain entry K"]);
  await assert.rejects(Deno.stat(join(it.project, "ran")), Deno.errors.NotFound);
});

Deno.test("loadConfig() gives a project a command of the home folder only where it is lent", async (t) => {
  for (const lend of [false, true]) {
    await t.step(lend ? "lent" : "not lent", async () => {
      await using it = await openProject({
        [HOME]: "servers: { h: { command: y, env: { A: '${cmd:T}' } } }\n" +
          "commands: { T: [echo, home-value] }\n" +
          (lend ? "secrets: { lend: { T: ['/**'] } }\n" : ""),
        [MAIN]: SERVER,
      });
      const env = { PATH: "/usr/bin:/bin" };
      if (!lend) return assert.match((await it.findings({ env })).join(), /no such command/);
      const server = (await it.load({ env })).servers.find(({ name }) => name === "a");
      assert.ok(server?.kind === "auto");
      assert.deepEqual(server.headers, { A: "Bearer home-value" });
    });
  }
});

Deno.test("loadConfig() closes the program of a command to writing", async () => {
  await using it = await openProject({ [MAIN]: "commands: { T: [sh, ./secret.sh] }" });
  const { closed: { programs } } = await it.load();
  const program = { command: "sh", args: ["./secret.sh"], env: {} };
  const folders = [it.project, it.home];
  assert.deepEqual(programs, folders.map((cwd) => ({ ...program, cwd })));
});

Deno.test("loadConfig() gives out no key of the sign-ins, under any server", async (t) => {
  const rows = {
    "a header": 'a: { url: "https://a.example", headers: { A: "${keychain:credentials}" } }',
    "a variable": 'a: { command: x, env: { A: "x-${keychain:credentials}" } }',
    "an address": 'a: { url: "https://a.example/${keychain:credentials}" }',
  };
  for (const [name, server] of Object.entries(rows)) {
    for (const file of [MAIN, HOME]) {
      await t.step(`${name}, ${file}`, async () => {
        await using it = await openProject({ [file]: `servers: { ${server} }` });
        assert.match((await it.findings()).join(), /it is the key of the sign-ins/);
      });
    }
  }
});
