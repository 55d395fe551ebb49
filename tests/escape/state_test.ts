/** State that came with a project is not believed, and none is written through its links. */

import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { silent } from "#base";
import { loadConfig } from "#config";
import { createRegistry } from "#packs";
import { createReplyWriter, createResultStore } from "#runtime";
import { descriptionFile, readDescription } from "../../packs/worker/describe/description_cache.ts";
import { notify } from "../../runtime/ot/notify.ts";
import { createLogFile } from "../../telemetry/log_file.ts";
import { startPack } from "../packs/mcp/harness.ts";
import { makeBuiltin } from "../support/builtin.ts";
import { closedOf } from "../support/closed.ts";
import { fixture } from "../support/servers.ts";
import { give, ignore } from "./owner.ts";

interface Clone extends AsyncDisposable {
  readonly project: string;
  readonly home: string;
  /** Holds what links of the project lead to. */
  readonly victim: string;
  /** Everything in it, names and texts. */
  taken(): Promise<string[]>;
}

/** A project with links, relative path → target in the victim's folder. */
async function openClone(links: Readonly<Record<string, string>> = {}): Promise<Clone> {
  const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "toolscript-state-" }));
  const [project, home, victim] = [join(root, "project"), join(root, "home"), join(root, "victim")];
  for (const folder of [project, home, victim]) await Deno.mkdir(folder);
  await Deno.writeTextFile(join(victim, "file"), "");
  for (const [path, target] of Object.entries(links)) {
    await Deno.mkdir(dirname(join(project, path)), { recursive: true });
    await Deno.symlink(join(victim, target), join(project, path));
  }
  return {
    project,
    home,
    victim,
    taken: async () => {
      const entries = await Array.fromAsync(Deno.readDir(victim));
      const text = await Deno.readTextFile(join(victim, "file"));
      return [...entries.map(({ name }) => name).filter((name) => name !== "file"), text];
    },
    [Symbol.asyncDispose]: () => Deno.remove(root, { recursive: true }),
  };
}

const HOUR = 3_600_000;

Deno.test("results are not kept through a link, and the run goes on without", async (t) => {
  for (const path of [".onetool/tmp", ".onetool"]) {
    await t.step(path, async () => {
      await using it = await openClone({ [path]: "." });
      const folder = join(it.project, ".onetool/tmp");
      const store = createResultStore({
        folder,
        ttlMs: () => HOUR,
        outputBytes: () => 4_000_000,
        now: Date.now,
      });
      await assert.rejects(store.save("text", { tools: [] }), /is not your own folder|is a link/);
      const writer = createReplyWriter({
        store,
        settings: () => ({ maxInlineBytes: 100, previewLines: 3 }),
      });
      const { text, stored } = await writer.write("ä".repeat(1_000), {
        tools: [],
        sanitize: false,
      });
      assert.equal(stored, undefined);
      assert.match(text, /^ä{48}…\n\[Cut after 100 of 2000 bytes: Cannot write there: .*\]$/);
      assert.deepEqual(await it.taken(), [""]);
    });
  }
  await t.step("a folder that everyone can write", async () => {
    await using it = await openClone();
    await Deno.mkdir(join(it.project, ".onetool"));
    await Deno.chmod(join(it.project, ".onetool"), 0o777);
    const folder = join(it.project, ".onetool/tmp");
    const store = createResultStore({
      folder,
      ttlMs: () => HOUR,
      outputBytes: () => 4_000_000,
      now: Date.now,
    });
    await assert.rejects(store.save("text", { tools: [] }), /everyone can write .*chmod go-w/);
  });
});

Deno.test("results of another project are not read through a link", async (t) => {
  for (const [path, target] of [[".onetool/tmp", ".onetool/tmp"], [".onetool", ".onetool"]]) {
    await t.step(path ?? "", async () => {
      await using it = await openClone({ [path ?? ""]: target ?? "" });
      const settings = { ttlMs: () => HOUR, outputBytes: () => 4_000_000, now: Date.now };
      const theirs = createResultStore({ folder: join(it.victim, ".onetool/tmp"), ...settings });
      const { handle } = await theirs.save("secret", { tools: [] });
      const store = createResultStore({ folder: join(it.project, ".onetool/tmp"), ...settings });
      assert.deepEqual(await store.get(handle), { kind: "missing" });
      assert.deepEqual(await store.list(), []);
      assert.equal((await theirs.get(handle)).kind, "found");
    });
  }
});

Deno.test("a result that another user may have written is not read", async (t) => {
  const folder = (it: Clone) => join(it.project, ".onetool/tmp");
  const text = (it: Clone, handle: string) => join(folder(it), `result-${handle}.txt`);
  const meta = (it: Clone, handle: string) => join(folder(it), `result-${handle}.meta.json`);
  const rows: Record<string, { prepare: (it: Clone, handle: string) => void; isGift?: true }> = {
    "a folder of another": { prepare: (it) => give(folder(it)), isGift: true },
    "a text of another": { prepare: (it, handle) => give(text(it, handle)), isGift: true },
    "facts of another": { prepare: (it, handle) => give(meta(it, handle)), isGift: true },
    "a folder that everyone can write": { prepare: (it) => Deno.chmodSync(folder(it), 0o777) },
    "a text that everyone can write": {
      prepare: (it, handle) => Deno.chmodSync(text(it, handle), 0o666),
    },
  };
  for (const [name, { prepare, isGift = false }] of Object.entries(rows)) {
    await t.step({
      name,
      ignore: isGift && ignore,
      async fn() {
        await using it = await openClone();
        const settings = { ttlMs: () => HOUR, outputBytes: () => 4_000_000, now: Date.now };
        const store = createResultStore({ folder: folder(it), ...settings });
        const { handle } = await store.save("planted", { tools: [] });
        assert.equal((await store.get(handle)).kind, "found");
        prepare(it, handle);
        assert.deepEqual(await store.get(handle), { kind: "missing" });
        const isListed = name.includes("text");
        assert.equal((await store.list()).length, isListed ? 1 : 0);
      },
    });
  }
});

Deno.test("the log is not written through a link of the project", async (t) => {
  for (const [path, target] of [["gateway.log", "file"], ["logs", "."]] as const) {
    await t.step(path, async () => {
      await using it = await openClone({ [path]: target });
      const errors: unknown[] = [];
      const log = createLogFile({
        path: join(it.project, target === "." ? "logs/gateway.log" : path),
        root: it.project,
        maxBytes: 1_000,
        files: 2,
        onError: (error) => errors.push(error),
      });
      log.write("line\n");
      await log[Symbol.asyncDispose]();
      assert.match(String(errors), /is a link: remove it/);
      assert.deepEqual(await it.taken(), [""]);
    });
  }
});

Deno.test("backups of deleted files are not kept through a link", async (t) => {
  for (const path of [".onetool/trash", ".onetool"]) {
    await t.step(path, async () => {
      await using it = await openClone({ [path]: "." });
      await Deno.writeTextFile(join(it.project, "a.txt"), "a");
      const loaded = await loadConfig({ env: {}, home: it.home, cwd: it.project });
      const { home, project } = it;
      const made = makeBuiltin(loaded, { home, project, environment: Deno.env.toObject() });
      await using registry = createRegistry(made, { log: silent });
      await assert.rejects(registry.call("file__delete", { path: "a.txt" }, {}), /is a link/);
      assert.deepEqual(await it.taken(), [""]);
    });
  }
});

Deno.test("ot.notify writes through no link, also not to a file of the project", async () => {
  await using it = await openClone();
  await Deno.writeTextFile(join(it.project, "config"), "");
  await Deno.symlink("config", join(it.project, "notes.yaml"));
  const topics = [{ pattern: "*", file: join(it.project, "notes.yaml") }];
  const closed = closedOf(await loadConfig({ env: {}, home: it.home, cwd: it.project }));
  const text = await notify({ topics, folders: [it.project], now: Date.now, closed }, {
    topic: "a",
    message: "x",
  });
  assert.equal(text, "Error: Cannot write to 'notes.yaml': a link is on the way");
  assert.equal(await Deno.readTextFile(join(it.project, "config")), "");
});

Deno.test("caches lie below the home folder, one for each real path of a project", async () => {
  await using it = await openClone();
  await using other = await openClone();
  await Deno.symlink(it.project, join(it.home, "link"));
  const at = async (cwd: string) => (await loadConfig({ env: {}, home: it.home, cwd })).cacheDir;
  const own = await at(it.project);
  assert.equal(await at(join(it.home, "link")), own);
  assert.notEqual(await at(other.project), own);
  assert.equal(dirname(own), join(it.home, ".onetool/cache"));
  {
    await using harness = await startPack(fixture("good"), { cacheDir: own });
    assert.equal(harness.pack.status().state, "connected");
  }
  for (const path of ["", "/cache", own.slice(join(it.home, ".onetool").length)]) {
    const { mode } = await Deno.stat(join(it.home, `.onetool${path}`));
    assert.equal((mode ?? 0) & 0o777, 0o700, path);
  }
  assert.ok(!await Deno.stat(join(it.project, ".onetool")).catch(() => undefined));
});

Deno.test("a tool list with a date in the future is stale", async () => {
  await using it = await openClone();
  const deps = { cacheDir: it.home, lazy: true };
  const now = () => Date.now() + 1000 * HOUR;
  {
    await using harness = await startPack(fixture("good"), { ...deps, now });
    assert.equal(harness.pack.status().state, "connected");
  }
  await using harness = await startPack(fixture("good"), deps);
  assert.equal(harness.pack.status().state, "connected");
});

Deno.test("a tool list that another user can write is not read", async (t) => {
  const rows: Record<string, (path: string) => void> = {
    "a file that everyone can write": (path) => Deno.chmodSync(path, 0o666),
    "a folder that everyone can write": (path) => Deno.chmodSync(dirname(path), 0o777),
    "a pipe": (path) => {
      Deno.removeSync(path);
      assert.ok(new Deno.Command("mkfifo", { args: [path] }).outputSync().success);
    },
  };
  for (const [name, prepare] of Object.entries(rows)) {
    await t.step(name, async () => {
      await using it = await openClone();
      const deps = { cacheDir: it.home, lazy: true };
      await (await startPack(fixture("good"), deps))[Symbol.asyncDispose]();
      const entries = [...Deno.readDirSync(join(it.home, "tools"))];
      const entry = entries.find(({ name }) => name.endsWith(".json"));
      prepare(join(it.home, "tools", entry?.name ?? ""));
      await using harness = await startPack(fixture("good"), deps);
      assert.equal(harness.pack.status().state, "connected", "it was asked, not believed");
    });
  }
});

Deno.test("a saved description is read as foreign input", async () => {
  await using it = await openClone();
  const path = descriptionFile(it.home, "hash");
  await Deno.mkdir(dirname(path));
  const tool = { name: "f", inputSchema: { type: "object" } };
  await Deno.writeTextFile(
    path,
    JSON.stringify({
      version: 2,
      tools: [{ spec: tool, form: { kind: "positional", names: [1], rest: "x" } }, {
        spec: { ...tool, name: "g" },
        form: { kind: "positional", names: "x" },
      }, 7],
      findings: [null, { message: 1, file: "x" }, {
        severity: "x",
        message: "m",
        file: "f",
        fix: 1,
      }],
    }),
  );
  const { tools = [], findings } = readDescription(path) ?? {};
  assert.deepEqual(tools.map(({ spec, form }) => [spec.name, form]), [
    ["f", { kind: "positional", names: ["1"], rest: false }],
    ["g", undefined],
  ]);
  assert.deepEqual(findings, [{ severity: "warning", message: "m", file: "f" }]);
});
