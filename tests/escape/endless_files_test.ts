/** Links of a stranger's repository to files without an end, and to a whole disk. */

import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { watchFolder } from "../../packs/worker/discover/watch_folder.ts";
import { cliCommand } from "../support/cli.ts";

/** A file of Linux that tells no size, and has 256 GB. */
const ENDLESS = "/proc/self/pagemap";
const MOST_MB = 2_500;

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

const ROWS: readonly { readonly link: string; readonly command: string }[] = [
  { link: ".onetool/tools/x/x_tools.ts", command: "1 + 1" },
  { link: ".onetool/tools/x/x_tools.py", command: "1 + 1" },
  { link: ".onetool/tools/table.csv", command: "1 + 1" },
  { link: ".gitignore", command: 'grep.search(pattern="hi")' },
  { link: ".ignore", command: 'grep.files(pattern="hi", glob=["*.txt"])' },
  { link: ".git/commondir", command: 'file.write(path="b.txt", text="b")' },
  { link: "Makefile", command: 'file.write(path="b.txt", text="b")' },
  { link: "package.json", command: 'file.write(path="b.txt", text="b")' },
];

Deno.test({
  name: "a link of the project to a file without an end fills nobody's memory",
  ignore: Deno.build.os !== "linux",
  async fn(t) {
    for (const { link, command } of ROWS) {
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
          const options = { home, cwd, env: { TOOLSCRIPT_TRUST: "" } };
          await using child = cliCommand(["run", command], options).spawn();
          const output = child.output();
          assert.ok(await watchMemory(child.pid, output) < MOST_MB);
          const { code, stderr } = await output;
          assert.equal(code, 0, new TextDecoder().decode(stderr));
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
