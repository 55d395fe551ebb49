/** Changes of files by a run that has ended: what has not begun is left out. */

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { createNameLookup, type JsonObject, silent } from "#base";
import { loadConfig } from "#config";
import { lockFile } from "#files";
import { createFilePack } from "../../../../packs/builtin/file/mod.ts";
import { createMoves, type Moves } from "../../../../packs/builtin/kit/moves.ts";
import { closedOf } from "../../../support/closed.ts";
import { usedMs } from "../../../support/turns.ts";

interface Stage {
  readonly project: string;
  readonly run: AbortController;
  /** Calls a tool of the run, or of another one. */
  call(tool: string, args: JsonObject, signal?: AbortSignal): Promise<JsonObject>;
  /** Takes a lock as another gateway of the user does. */
  lock(name: string): Promise<Disposable>;
  /** All paths of the project with their texts, but for `.onetool`. */
  files(): Promise<Record<string, string | null>>;
}

interface StageOptions {
  /** Called before a backup is kept. */
  readonly onBackup?: (run: AbortController) => void;
  /** Makes the turns of moves. */
  readonly movesOf?: (moves: Moves, run: AbortController) => Moves;
  /** Waited for before it is decided if a path may be changed. */
  readonly look?: () => Promise<void>;
  readonly aloneMs?: number;
}

async function withStage(
  work: (stage: Stage) => Promise<void>,
  { onBackup = () => {}, movesOf = (moves) => moves, look, aloneMs }: StageOptions = {},
): Promise<void> {
  const home = await Deno.realPath(await Deno.makeTempDir());
  const project = join(home, "project");
  const run = new AbortController();
  await Deno.mkdir(join(project, "folder"), { recursive: true });
  for (const path of ["a.txt", "b.txt", "folder/c.txt"]) {
    await Deno.writeTextFile(join(project, path), `${path}\n`);
  }
  const config = await loadConfig({ env: { TOOLSCRIPT_TRUST: "all" }, home, cwd: project });
  const closed = closedOf(config);
  await using pack = createFilePack(config.packs.file, {
    project,
    home,
    environment: {},
    deno: Deno.execPath(),
    fetch,
    log: silent,
    names: createNameLookup(),
    closed: {
      ...closed,
      async change(...question) {
        await look?.();
        return await closed.change(...question);
      },
    },
    moves: movesOf(createMoves(home, { aloneMs }), run),
    now() {
      onBackup(run);
      return Date.now();
    },
  });
  const locks = join(home, ".onetool", "cache", "locks");
  try {
    await work({
      project,
      run,
      call: async (tool, args, signal = run.signal) =>
        (await pack.call(tool, args, { signal })).value as JsonObject,
      async lock(name) {
        await Deno.mkdir(locks, { recursive: true, mode: 0o700 });
        return await lockFile(join(locks, name)) ?? assert.fail();
      },
      files: () => filesOf(project),
    });
  } finally {
    await Deno.remove(home, { recursive: true });
  }
}

async function filesOf(folder: string, below = ""): Promise<Record<string, string | null>> {
  const files: Record<string, string | null> = {};
  for await (const { name, isDirectory } of Deno.readDir(join(folder, below))) {
    if (name === ".onetool") continue;
    const path = join(below, name);
    files[path] = isDirectory ? null : await Deno.readTextFile(join(folder, path));
    if (isDirectory) Object.assign(files, await filesOf(folder, path));
  }
  return files;
}

const TEXTS: readonly (readonly [string, JsonObject])[] = [
  ["write", { path: "a.txt", text: "x" }],
  ["write", { path: "new/n.txt", text: "x" }],
  ["append", { path: "a.txt", text: "x" }],
  ["append", { path: "new/n.txt", text: "x" }],
  ["edit", { path: "a.txt", old: "a", new: "x" }],
];
const ENTRIES: readonly (readonly [string, JsonObject])[] = [
  ["copy", { from: "a.txt", to: "new/n.txt" }],
  ["copy", { from: "a.txt", to: "b.txt", overwrite: true }],
  ["copy", { from: "folder", to: "new" }],
  ["copy", { from: "folder", to: "b.txt", overwrite: true }],
  ["move", { from: "a.txt", to: "new/n.txt" }],
  ["move", { from: "a.txt", to: "b.txt", overwrite: true }],
  ["move", { from: "folder", to: "new" }],
  ["delete", { path: "a.txt" }],
  ["delete", { path: "folder", recursive: true }],
  ["make_folder", { path: "new/below" }],
];
const CANCELLED = { name: "PackError", code: "cancelled" };
const settle = () => new Promise((resolve) => setTimeout(resolve, 20));

for (const [tool, args] of [...TEXTS, ...ENTRIES]) {
  const call = `file.${tool}(${JSON.stringify(args)})`;

  Deno.test(`${call} changes nothing after it waited for another gateway`, () =>
    withStage(async (stage) => {
      const before = await stage.files();
      const lock = await stage.lock("moves");
      const waiting = stage.call(tool, args);
      const rejected = assert.rejects(waiting, CANCELLED);
      await settle();
      stage.run.abort();
      lock[Symbol.dispose]();
      await rejected;
      assert.deepEqual(await stage.files(), before);
      // No lock is left.
      await stage.call(tool, args, new AbortController().signal);
      assert.notDeepEqual(await stage.files(), before);
    }));
}

for (const [tool, args] of TEXTS) {
  Deno.test(`file.${tool} of "${args.path}" gives up in the turns of that file`, () =>
    withStage(async (stage) => {
      const before = await stage.files();
      const path = join(stage.project, `${args.path}`);
      using _lock = await stage.lock(createHash("sha256").update(path).digest("hex").slice(0, 2));
      const waiting = [1, 2, 3].map(() => assert.rejects(stage.call(tool, args), CANCELLED));
      await settle();
      stage.run.abort();
      // While the lock is held.
      await Promise.all(waiting);
      assert.deepEqual(await stage.files(), before);
    }));
}

for (const [tool, args] of ENTRIES) {
  Deno.test(`file.${tool}(${JSON.stringify(args)}) sees at last that the run has ended`, () => {
    const movesOf = ({ beside, alone }: Moves, run: AbortController): Moves => {
      const ending = <A extends unknown[], T>(work: (...args: A) => Promise<T>) => {
        return (...args: A) => {
          run.abort();
          return work(...args);
        };
      };
      return {
        beside: (work) => beside(ending(work)),
        alone: (work, signal) => alone(ending(work), signal),
      };
    };
    return withStage(async (stage) => {
      const before = await stage.files();
      await assert.rejects(stage.call(tool, args), CANCELLED);
      assert.deepEqual(await stage.files(), before);
    }, { movesOf });
  });
}

for (
  const [tool, args] of TEXTS.filter(([tool, { path }]) => tool !== "append" && path === "a.txt")
) {
  Deno.test(`file.${tool} sees after its backup that the run has ended`, () =>
    withStage(async (stage) => {
      const before = await stage.files();
      await assert.rejects(stage.call(tool, args), CANCELLED);
      assert.deepEqual(await stage.files(), before);
    }, { onBackup: (run) => run.abort() }));
}

for (const tool of ["copy", "move"]) {
  Deno.test(`a ${tool} that has put the old file away ends whole`, () =>
    withStage(async (stage) => {
      const { "a.txt": text } = await stage.files();
      const { backup } = await stage.call(tool, { from: "a.txt", to: "b.txt", overwrite: true });
      assert.equal(await Deno.readTextFile(join(stage.project, `${backup}`)), "b.txt\n");
      const { "a.txt": source, "b.txt": target } = await stage.files();
      assert.deepEqual([source, target], [tool === "copy" ? text : undefined, text]);
      assert.ok(stage.run.signal.aborted);
    }, { onBackup: (run) => run.abort() }));
}

Deno.test("a move whose check takes too long changes nothing, and holds no other work up", async () => {
  const slow = Promise.withResolvers<void>();
  await withStage(async (stage) => {
    const before = await stage.files();
    const signal = new AbortController().signal;
    const moved = stage.call("move", { from: "a.txt", to: "new/n.txt" }, signal);
    const refused = assert.rejects(moved, { code: "timeout" });
    await stage.call("read", { path: "b.txt" }, signal);
    await refused;
    slow.resolve();
    await settle();
    assert.deepEqual(await stage.files(), before);
  }, { look: () => slow.promise, aloneMs: 100 });
});

/** Work on eight million lines. */
const LONG: readonly (readonly [string, JsonObject])[] = [
  ["read", { path: "long.txt", offset: 7_999_000, limit: 1 }],
  ["edit", { path: "long.txt", old: "\n\n", new: "x", all: true, dry_run: true }],
  ["edit", { path: "long.txt", old: "none", new: "x" }],
];

for (const [tool, args] of LONG) {
  Deno.test(`file.${tool}(${JSON.stringify(args)}) ends with its run while it works`, () =>
    withStage(async (stage) => {
      await Deno.writeTextFile(join(stage.project, "long.txt"), "\n".repeat(8_000_000));
      // Modules are loaded by now.
      await stage.call(tool, {
        ...args,
        path: "a.txt",
        ...(tool === "edit" ? { old: "a.txt" } : {}),
      });
      const rejected = assert.rejects(stage.call(tool, args), CANCELLED);
      // A turn of the event loop that takes milliseconds is the work.
      for (let begun = usedMs(); usedMs() - begun < 4;) {
        begun = usedMs();
        await new Promise((resolve) => setTimeout(resolve, 0));
      }
      stage.run.abort();
      await rejected;
    }));
}
