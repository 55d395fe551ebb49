/** Settings of git in a project hold up nothing, and take a bounded part of memory. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { type ProjectStage, withProject } from "../support/project.ts";
import { longestTurn } from "../support/turns.ts";

const HEAD = "ref: refs/heads/main\n";
/** Processor time of one turn that is too long, on a slow machine as well. */
const LONG_MS = 1_000;
const MB = 1_024 * 1_024;

function bare(config: string, files: Readonly<Record<string, string>> = {}) {
  const names = { HEAD, config, "objects/.keep": "", "refs/.keep": "", ...files };
  return Object.fromEntries(Object.entries(names).map(([name, text]) => [`data/${name}`, text]));
}

/** Files that include one under other names. */
function including(count: number): string {
  const lines = Array.from({ length: count }, (_, at) => `path = l${at}\n`);
  return `[include]\n${lines.join("")}`;
}

async function links(count: number, { project }: Pick<ProjectStage, "project">): Promise<void> {
  for (let at = 0; at < count; at++) await Deno.symlink("big", join(project, `data/l${at}`));
}

interface Row {
  readonly why: RegExp;
  readonly files: Readonly<Record<string, string>>;
  /** Number of links to one file (none). */
  readonly count?: number;
  readonly hasGit?: boolean;
}

function numbered(count: number, line: (at: number) => string): string {
  return Array.from({ length: count }, (_, at) => line(at)).join("");
}

const ROWS: Readonly<Record<string, Row>> = {
  "many work trees": {
    why: /git's settings name over 100 work trees/,
    files: bare(`[core]\n${numbered(200, (at) => `worktree = ${at}\n`)}`),
  },
  "a path for each of some work trees": {
    why: /git's settings name over 200000 files/,
    files: bare(
      `[core]\n${numbered(90, (at) => `worktree = ${at}\n`)}[x]\n` +
        numbered(5_000, (at) => `path = a${at}\n`),
    ),
  },
  "the same path for each": {
    why: /git's settings name over 200000 files/,
    files: bare(
      `[core]\n${numbered(90, (at) => `worktree = ${at}\n`)}[x]\n${"path = a\n".repeat(40_000)}`,
    ),
  },
  "millions of settings in one file": {
    why: /git has over 50,000 settings/,
    files: bare(including(1), { l0: `[a]\n${"b\n".repeat(3_900_000)}` }),
  },
  "links to it": {
    why: /git has over 50,000 settings/,
    files: bare(including(12), { big: `[a]\n${"b\n".repeat(1_000_000)}` }),
    count: 12,
  },
  "files that are large together": {
    why: /git's settings have over 8 MB/,
    files: bare(
      including(9),
      Object.fromEntries(Array.from({ length: 9 }, (_, at) => {
        return [`l${at}`, `[a]\nb = ${at}${"x".repeat(MB)}\n`];
      })),
    ),
  },
  "sections with long names": {
    why: /"[^"]*" cannot be read/,
    files: bare(`[a "${"x".repeat(10_000)}"]\n${"b = 1\n".repeat(5_000)}`),
  },
  "words that name no file, and folders": {
    why: /git's settings name over 200000 files/,
    files: bare(
      `[a]\nb = "${numbered(9_000, (at) => `cd d${at}; https://x/${at} `)}"\n`,
    ),
  },
  "long paths": {
    why: /git's settings name over 200000 files/,
    files: bare(`[a]\nb = "${numbered(1_900, (at) => `x${at}/${"y/".repeat(2_000)} `)}"\n`),
  },
  "many words without git": {
    why: /git has over 50,000 settings/,
    files: bare(`[a]\nb = ${numbered(1_000_000, (at) => `${at} `)}\n`),
    hasGit: false,
  },
  "many lines without git": {
    why: /git has over 50,000 settings/,
    files: bare(`[a]\n${numbered(300_000, (at) => `b = ${at}\n`)}`),
    hasGit: false,
  },
  "many repositories that share large settings": {
    why: /characters for all repositories/,
    files: {
      ...bare(""),
      ...Object.fromEntries(Array.from({ length: 5 }, (_, at) => {
        return [`r${at}/.git/HEAD`, HEAD];
      })),
      big: `[a]\nb = "${"x".repeat(7_900_000)}"\n`,
      ...Object.fromEntries(Array.from({ length: 5 }, (_, at) => {
        return [`r${at}/.git/config`, `[include]\npath = ../../big\n`];
      })),
    },
  },
};

for (const [name, { why, files, count = 0, hasGit = true }] of Object.entries(ROWS)) {
  Deno.test(`git's settings are bounded, and hold up nothing: ${name}`, () =>
    withProject(
      { files, hasGit, isApart: hasGit, prepare: (stage) => links(count, stage) },
      async ({ call, refused }) => {
        const end = longestTurn();
        const { message } = await refused("file.write", { path: "docs/a.md", text: "x" });
        const longest = end();
        assert.match(message, why);
        assert.ok(longest < LONG_MS, `a turn of ${longest} ms`);
        await call("file.read", { path: "data/HEAD" });
      },
    ));
}

Deno.test("a file of settings counts once under all its names", () =>
  withProject({
    files: bare(including(600), { big: `[a]\nb = "${"x".repeat(MB)} scripts/run"\n` }),
    prepare: (stage) => links(600, stage),
  }, async ({ call, refused }) => {
    await call("file.write", { path: "docs/a.md", text: "x" });
    await refused("file.write", { path: "data/scripts/run", text: "x" });
  }));

Deno.test("words of long values are closed, wherever they stand", () =>
  withProject({
    files: bare(
      `[a]\nb = "${"-- ".repeat(3_000)}; cd tools && ./first; ${
        "--- ".repeat(20_000)
      } sh ./my\\\\ last.sh ; ${"--- ".repeat(20_000)} end/run"\n`,
    ),
  }, async ({ call, refused }) => {
    for (const path of ["tools/first", "my last.sh", "tools/my last.sh", "tools/end/run"]) {
      await refused("file.write", { path: `data/${path}`, text: "x" });
    }
    await call("file.write", { path: "data/tools/other", text: "x" });
  }));

Deno.test("a folder HEAD makes no repository, and is replaced by no file", () =>
  withProject({ files: { "hello.txt": HEAD } }, async ({ call, refused }) => {
    const config = `[core]\nhooksPath = ../hooks\n${numbered(300, (at) => `worktree = ${at}\n`)}`;
    await call("file.write", { path: "x/config", text: config });
    for (const name of ["HEAD", "objects", "refs"]) {
      await call("file.write", { path: `x/${name}/a`, text: "" });
    }
    // The rules are made anew after that.
    await call("file.delete", { path: "x/refs/a" });
    await new Promise((resolve) => setTimeout(resolve, 2_100));
    await call("file.write", { path: "hooks/pre-commit", text: "x" });
    await call("file.read", { path: "hello.txt" });
    await assert.rejects(call("file.copy", { from: "hello.txt", to: "x/HEAD", overwrite: true }));
    await call("file.delete", { path: "x/HEAD/a" });
    await call("file.delete", { path: "x/HEAD", recursive: true }).catch(() => {});
    await refused("file.write", { path: "x/HEAD", text: HEAD });
    await refused("file.move", { from: "hello.txt", to: "x/HEAD" });
  }));
