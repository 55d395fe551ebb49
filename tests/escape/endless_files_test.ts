/** Links of a stranger's repository to files without an end, and to a whole disk. */

import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { watchPacks } from "#packs";
import { watchFolder } from "../../packs/worker/discover/watch_folder.ts";
import { cliCommand } from "../support/cli.ts";

/** A file of Linux that tells no size, and has 256 GB. */
const ENDLESS = "/proc/self/pagemap";
const MOST_MB = 2_500;
const MAIN = ".onetool/onetool.yaml";

/** Ends the processes of `pid` once one takes too much memory; resolves with the most that one took. */
async function watchMemory(pid: number, ended: Promise<unknown>): Promise<number> {
  let isOver = false;
  let most = 0;
  void ended.finally(() => isOver = true);
  while (!isOver) {
    for (const each of processesOf(pid)) {
      const [, size = "0"] = /^VmRSS:\s+(\d+)/m.exec(read(`/proc/${each}/status`)) ?? [];
      most = Math.max(most, Number(size) / 1024);
      if (most > MOST_MB) Deno.kill(each, "SIGKILL");
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return most;
}

function processesOf(pid: number): number[] {
  const children = read(`/proc/${pid}/task/${pid}/children`).split(" ").filter(Boolean).map(Number);
  return [pid, ...children.flatMap(processesOf)];
}

function read(path: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return ""; // it has ended
  }
}

const ROWS: readonly {
  readonly link: string;
  /** A program by default. */
  readonly command: string | readonly string[];
  readonly code?: number;
}[] = [
  { link: ".onetool/tools/x/x_tools.ts", command: "1 + 1" },
  { link: ".onetool/tools/x/x_tools.py", command: "1 + 1" },
  { link: ".onetool/tools/table.csv", command: "1 + 1" },
  { link: ".gitignore", command: 'grep.search(pattern="hi")' },
  { link: ".ignore", command: 'grep.files(pattern="hi", glob=["*.txt"])' },
  // Where git's settings lie cannot be told.
  { link: ".git/commondir", command: 'file.write(path="b.txt", text="b")', code: 1 },
  { link: "Makefile", command: 'file.write(path="b.txt", text="b")' },
  { link: MAIN, command: ["connect", "claude-code", "--move"], code: 1 },
  { link: "package.json", command: 'file.write(path="b.txt", text="b")' },
];

Deno.test({
  name: "a link of the project to a file without an end fills nobody's memory",
  ignore: Deno.build.os !== "linux",
  async fn(t) {
    for (const { link, command, code: expected = 0 } of ROWS) {
      await t.step(link, async () => {
        const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "toolscript-endless-" }));
        const [home, cwd] = [join(root, "home"), join(root, "project")];
        try {
          await Deno.mkdir(join(home, ".onetool"), { recursive: true });
          await Deno.mkdir(dirname(join(cwd, link)), { recursive: true });
          await Deno.symlink(ENDLESS, join(cwd, link));
          await Deno.writeTextFile(join(cwd, "a.txt"), "hi\n");
          const servers = "servers: { s: { command: make, args: [serve] } }\n";
          await Deno.writeTextFile(join(home, ".onetool/onetool.yaml"), servers);
          const words = typeof command === "string" ? ["run", command] : command;
          const options = { home, cwd, env: { TOOLSCRIPT_TRUST: "" } };
          await using child = cliCommand(words, options).spawn();
          const output = child.output();
          assert.ok(await watchMemory(child.pid, output) < MOST_MB);
          const { code, stderr } = await output;
          assert.equal(code, expected, new TextDecoder().decode(stderr));
        } finally {
          await Deno.remove(root, { recursive: true });
        }
      });
    }
  },
});

Deno.test("a pack's folder is watched without what its links lead to", async () => {
  const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "toolscript-watched-" }));
  try {
    const [folder, other] = [join(root, "tools/x"), join(root, "other")];
    await Deno.mkdir(join(folder, "deep/er"), { recursive: true });
    await Deno.mkdir(join(other, "below"), { recursive: true });
    await Deno.symlink(other, join(folder, "link"));
    let changes = 0;
    let changed = Promise.withResolvers<void>();
    using _watch = watchFolder(folder, () => {
      changes++;
      changed.resolve();
    });
    await Deno.writeTextFile(join(other, "below/file.ts"), "");
    await Deno.writeTextFile(join(folder, "deep/er/first.ts"), "");
    await changed.promise;
    changed = Promise.withResolvers();
    await Deno.mkdir(join(folder, "late"));
    await changed.promise;
    changed = Promise.withResolvers();
    const before = changes;
    await Deno.writeTextFile(join(folder, "late/second.ts"), "");
    await changed.promise;
    assert.ok(changes > before);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});

Deno.test({
  name: "a folder of packs that leads to a whole disk takes few of the user's watches",
  ignore: Deno.build.os !== "linux",
  async fn() {
    const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "toolscript-disk-" }));
    try {
      for (let at = 0; at < 600; at++) {
        await Deno.mkdir(join(root, `disk/${at % 300}/below/${at}`), { recursive: true });
      }
      for (const path of ["project/.onetool/tools", "home/.onetool/tools"]) {
        await Deno.mkdir(dirname(join(root, path)), { recursive: true });
        await Deno.symlink(join(root, "disk"), join(root, path));
      }
      const [project, home] = [join(root, "project"), join(root, "home")];
      const before = watches();
      using _packs = watchPacks({ project, home }, () => {});
      using _pack = watchFolder(join(project, ".onetool/tools"), () => {});
      const taken = watches() - before;
      assert.ok(taken > 0 && taken <= 600, String(taken));
    } finally {
      await Deno.remove(root, { recursive: true });
    }
  },
});

/** Watches of this process. */
function watches(): number {
  const handles = [...Deno.readDirSync("/proc/self/fdinfo")];
  const texts = handles.map(({ name }) => read(`/proc/self/fdinfo/${name}`));
  return texts.join("").split("inotify wd:").length - 1;
}
