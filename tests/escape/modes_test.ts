/** Modes of the files and folders that changes make: another user of the host opens what a mode lets
 * them open, also for a moment. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { JsonObject } from "#base";
import { isDraft } from "../../packs/closed/names.ts";
import { caught } from "../cli/io.ts";
import { withProject } from "../support/project.ts";

/** Windows has no modes. */
const ignore = Deno.build.os === "windows";
/** Takes several pieces to copy. */
const LONG = "line of a private file\n".repeat(100_000);

function modeOf(path: string): number {
  return (Deno.lstatSync(path).mode ?? 0) & 0o7777;
}

/** Modes that the drafts of a folder have while `work` runs. */
async function draftModes(folder: string, work: Promise<unknown>): Promise<Set<number>> {
  const modes = new Set<number>();
  let isOver = false;
  const end = work.finally(() => isOver = true);
  while (!isOver) {
    for (const { name } of [...Deno.readDirSync(folder)].filter(({ name }) => isDraft(name))) {
      try {
        modes.add(modeOf(join(folder, name)));
      } catch {
        // It has been renamed meanwhile.
      }
    }
    await setImmediate();
  }
  await end;
  return modes;
}

const CHANGES: Record<string, [tool: string, args: JsonObject, changed: string]> = {
  "a copy": ["file.copy", { from: "a.txt", to: "b.txt" }, "b.txt"],
  "a write": [
    "file.write",
    { path: "a.txt", text: LONG.slice(0, 1_000_000), overwrite: true },
    "a.txt",
  ],
  "an edit": ["file.edit", { path: "a.txt", old: "line", new: "LINE", all: true }, "a.txt"],
  "an addition": ["file.append", { path: "a.txt", text: "more\n" }, "a.txt"],
};

for (const [name, [tool, args, changed]] of Object.entries(CHANGES)) {
  for (const mode of [0o600, 0o400, 0o640]) {
    const octal = mode.toString(8);
    Deno.test({
      name: `${name} of a file of mode ${octal} is open to the user alone until it has that mode`,
      ignore,
      fn: () =>
        withProject({ files: { "a.txt": LONG } }, async ({ project, call }) => {
          Deno.chmodSync(join(project, "a.txt"), mode);
          const modes = await draftModes(project, call(tool, args));
          assert.notEqual(modes.size, 0);
          assert.deepEqual([...modes.difference(new Set([0o600, mode]))], []);
          assert.equal(modeOf(join(project, changed)), mode);
        }),
    });
  }
}

Deno.test({
  name: "a new file has the mode that the user's mask leaves",
  ignore,
  fn: () =>
    withProject({}, async ({ project, call }) => {
      await call("file.write", { path: "new.txt", text: "x" });
      await Deno.writeTextFile(join(project, "other.txt"), "x");
      assert.equal(modeOf(join(project, "new.txt")), modeOf(join(project, "other.txt")));
    }),
});

Deno.test({
  name: "a copy of a folder is open to no others than the folder is",
  ignore,
  fn: () =>
    withProject({
      files: { "a/x/y/deep.txt": "deep", "a/open/b.txt": "b", "a/read/c.txt": "c" },
    }, async ({ project, call }) => {
      const modes = { a: 0o700, "a/x": 0o750, "a/x/y": 0o711, "a/open": 0o755, "a/read": 0o500 };
      for (const [path, mode] of Object.entries(modes)) Deno.chmodSync(join(project, path), mode);
      const { files } = await call("file.copy", { from: "a", to: "made/b" });
      Deno.chmodSync(join(project, "a/read"), 0o700);
      assert.equal(files, 3);
      const [umask, of] = [Deno.umask(), (path: string) => modeOf(join(project, path)).toString(8)];
      for (const [path, mode] of Object.entries({ ...modes, "a/read": 0o700 })) {
        assert.equal(of(path.replace("a", "made/b")), (mode & ~umask).toString(8), path);
      }
      assert.equal(of("made"), (0o777 & ~umask).toString(8));
    }),
});

Deno.test({
  name: "no change keeps the bits that let others start a program as its owner",
  ignore,
  async fn(t) {
    for (const [name, [tool, args, changed]] of Object.entries(CHANGES)) {
      for (const bits of [0o4000, 0o2000, 0o6000]) {
        await t.step(
          `${name}, ${bits.toString(8)}`,
          () =>
            withProject({ files: { "a.txt": LONG } }, async ({ project, call }) => {
              Deno.chmodSync(join(project, "a.txt"), bits | 0o755);
              await call(tool, args);
              assert.equal(modeOf(join(project, changed)), 0o755);
            }),
        );
      }
    }
  },
});

Deno.test({
  name: "connect --move opens no configuration that its owner has closed",
  ignore,
  async fn() {
    const servers = '{"mcpServers": {"b": {"command": "b"}}}';
    for (const mode of [0o600, 0o640, 0o644]) {
      await withProject({
        config: { alias: {} },
        files: { ".cursor/mcp.json": servers, ".onetool/.gitignore": "mine\n" },
      }, async ({ home, project }) => {
        const files = ["onetool.yaml", ".gitignore"].map((name) => join(project, ".onetool", name));
        for (const path of files) Deno.chmodSync(path, mode);
        const options = { cwd: project, home, program: ["/bin/toolscript"] };
        const { code, stderr } = await caught(
          ["connect", "cursor", "--project", "--move"],
          options,
        );
        assert.equal(code, 0, stderr);
        assert.match(Deno.readTextFileSync(files[0] ?? ""), /command: b/);
        for (const path of files) assert.equal(modeOf(path), mode, path);
      });
    }
  },
});
