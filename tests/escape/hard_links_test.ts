/** A program uses closed files by a second hard link, where there are too many files to look at. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { withProject } from "../support/project.ts";

Deno.test("over 50,000 closed files close every file with a second hard link, and say so", () =>
  withProject({
    files: { ".onetool/credentials/a": "token", ".claude/a.sh": "", "one.txt": "one" },
    prepare: async ({ project }) => {
      const folder = join(project, ".onetool/stats");
      await Deno.mkdir(folder);
      for (let at = 0; at < 50_001; at++) Deno.writeTextFileSync(join(folder, `${at}`), "");
      await Deno.link(join(project, ".onetool/credentials/a"), join(project, "copy.txt"));
      await Deno.link(join(project, ".claude/a.sh"), join(project, "a.sh"));
    },
  }, async ({ call, refused }) => {
    const { message } = await refused("file.read", { path: "copy.txt" });
    assert.match(message, /it may hold secrets, under another name: .* over 50,000 entries/);
    const { matches } = await call("grep.search", { pattern: "token|one" });
    assert.deepEqual((matches as { path: string }[]).map(({ path }) => path), ["one.txt"]);
    const write = await refused("file.write", { path: "a.sh", text: "x", overwrite: true });
    assert.match(
      write.message,
      /it may be a closed file under another name: .* over 50,000 entries/,
    );
    await call("file.read", { path: "one.txt" });
    await call("file.write", { path: "two.txt", text: "x" });
  }));
