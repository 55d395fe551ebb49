/** A folder is exchanged for a link that leads out of the project while it is read by its path: the
 * path was checked before, so the exchange waits until it is read. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { JsonObject } from "#base";
import { type ProjectStage, withProject } from "../support/project.ts";

const SECRET = "hunter2";
const LINES = `${"a".repeat(60)}\n`.repeat(20);
/** Takes long over every line; the search stays in the worker. */
const SLOW = `(?=.)(?:${SECRET}|(?:.*){3}\x01$)`;
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

/** Changes after which a path may lead elsewhere. */
const SWAPS: Record<string, Call> = {
  "a move of a link": ["file.move", { from: "out", to: "d" }],
  "a move of a folder": ["file.move", { from: "many", to: "d" }],
  "a copy of a link in a folder": ["file.copy", { from: "linked", to: "d" }],
};

async function git(cwd: string, ...args: string[]): Promise<void> {
  const own = ["-c", "user.name=a", "-c", "user.email=a@example.com"];
  const { success } = await new Deno.Command("git", { cwd, args: [...own, ...args] }).output();
  assert.ok(success, `git ${args.join(" ")}`);
}

async function prepare({ home, project }: Pick<ProjectStage, "home" | "project">): Promise<void> {
  await git(project, "init", "-q");
  await git(project, "add", "-A");
  await git(project, "commit", "-qm", "first");
  await Deno.symlink(join(home, "secret"), join(project, "out"));
  await Deno.mkdir(join(project, "linked"));
  await Deno.symlink(join(home, "secret"), join(project, "linked", "inner"));
  await Deno.writeTextFile(join(project, "a.txt"), LONG.toReversed().join("\n"));
}

const FILES = {
  "~/secret/note.txt": SECRET,
  "slow.txt": LINES.repeat(3),
  "a.txt": LONG.join("\n"),
  ...Object.fromEntries(Array.from({ length: 800 }, (_, at) => [`many/${at}.txt`, ""])),
};

for (const [way, swap] of Object.entries(SWAPS)) {
  Deno.test(`${way} waits for what is read by its path`, async (t) => {
    for (const [name, read] of Object.entries(READS)) {
      await t.step(name, () =>
        withProject({ files: FILES, prepare }, async ({ call }) => {
          const order: string[] = [];
          const note = (what: string, [tool, args]: Call) =>
            call(tool, args).then(() => order.push(what));
          const reading = note("read", read);
          await setImmediate(); // the call of the read has come to its pack
          await Promise.all([reading, note("swap", swap)]);
          assert.deepEqual(order, ["read", "swap"]);
        }));
    }
  });
}

Deno.test("a copied folder has its links", () =>
  withProject({ files: FILES, prepare }, async ({ project, call }) => {
    const { files, left_out } = await call("file.copy", { from: "linked", to: "copied" });
    assert.deepEqual({ files, left_out }, { files: 0, left_out: 0 });
    const text = await Deno.readLink(join(project, "copied", "inner"));
    assert.equal(text, await Deno.readLink(join(project, "linked", "inner")));
  }));
