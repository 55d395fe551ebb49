/** A folder is moved while it is read by its path: the path was checked before, so the move waits until
 * it is read. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { JsonObject } from "#base";
import { type ProjectStage, withProject } from "../support/project.ts";

const LINES = `${"a".repeat(60)}\n`.repeat(20);
/** Takes long over every line; the search stays in the worker. */
const SLOW = `(?=.)(?:.*){3}\x01$`;
const LONG = Array.from({ length: 30_000 }, (_, at) => `line ${at * 7_919 % 60_013}`);

type Call = [tool: string, args: JsonObject];

const READS: Record<string, Call> = {
  "a search in the worker": ["grep.search", { path: "slow.txt", pattern: SLOW }],
  "a search of a folder": ["grep.search", { path: ".", pattern: "line" }],
  "a count": ["grep.count", { path: ".", pattern: "line" }],
  "a diff": ["git.diff", {}],
  "a list": ["file.list", { path: "many", limit: 1_000 }],
  "a tree": ["file.tree", { path: "many" }],
};

const MOVE: Call = ["file.move", { from: "few", to: "d" }];

async function git(cwd: string, ...args: string[]): Promise<void> {
  const own = ["-c", "user.name=a", "-c", "user.email=a@example.com"];
  const { success } = await new Deno.Command("git", { cwd, args: [...own, ...args] }).output();
  assert.ok(success, `git ${args.join(" ")}`);
}

async function prepare({ project }: Pick<ProjectStage, "project">): Promise<void> {
  await git(project, "init", "-q");
  await git(project, "add", "-A");
  await git(project, "commit", "-qm", "first");
  await Deno.writeTextFile(join(project, "a.txt"), LONG.toReversed().join("\n"));
}

const FILES = {
  "slow.txt": LINES.repeat(3),
  "a.txt": LONG.join("\n"),
  "few/a.txt": "",
  ...Object.fromEntries(Array.from({ length: 800 }, (_, at) => [`many/${at}.txt`, ""])),
};

for (const [name, read] of Object.entries(READS)) {
  Deno.test(`a move of a folder waits for what is read by its path: ${name}`, () =>
    withProject({ files: FILES, prepare }, async ({ call }) => {
      const order: string[] = [];
      const note = (what: string, [tool, args]: Call) =>
        call(tool, args).then(() => order.push(what));
      const reading = note("read", read);
      await setImmediate(); // the call of the read has come to its pack
      await Promise.all([reading, note("move", MOVE)]);
      assert.deepEqual(order, ["read", "move"]);
    }));
}
