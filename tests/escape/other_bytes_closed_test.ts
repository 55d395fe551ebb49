/** A program changes what closed links lead to whose names or texts are no UTF-8. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { dump } from "js-yaml";
import { shell, TAKES_OTHER_BYTES } from "../support/other_bytes.ts";
import { type ProjectOptions, withProject } from "../support/project.ts";

const ignore = !TAKES_OTHER_BYTES;
const LONG = "n".repeat(250);
const FILES = { "cfg/tasks.json": "{}", "cfg/hook.sh": "", "notes.md": "" };

/** Scripts that make a way for an editor, an agent or git to a file in `cfg`. */
const WAYS: Readonly<Record<string, string>> = {
  "a folder": "ln -s b$b .vscode; ln -s cfg b$b",
  "a file": "mkdir .husky; ln -s ../b$b/hook.sh .husky/pre-commit; ln -s cfg b$b",
  "a chain of three links": "ln -s one .vscode; ln -s b$b one; ln -s two b$b; ln -s cfg two",
  "such a text in the middle": "ln -s one .vscode; ln -s b$b one; ln -s cfg b$b",
  "a link with such a name": "mkdir .vscode; ln -s ../cfg/tasks.json .vscode/t$b",
  "a link beside its decoy":
    "mkdir .vscode; ln -s ../cfg/tasks.json .vscode/t$b; echo > .vscode/t$r",
  "two links with one name":
    "mkdir .vscode; ln -s ../cfg .vscode/a$b; ln -s ../docs .vscode/a$(printf '\\376')",
  "a nested project": "mkdir -p in/.git; ln -s ../b$b in/.vscode; ln -s cfg b$b",
  "a folder with such a name": "mkdir -p in$b/.git; ln -s ../cfg in$b/.vscode",
  "a folder beside its decoy": "mkdir -p in$b/.git in$r; ln -s ../cfg in$b/.vscode",
  "one surrogate": "ln -s b$c .vscode; ln -s cfg b$c",
  "a long form of a slash": "ln -s b$o .vscode; ln -s cfg b$o",
  "a long name": `ln -s ${LONG}$b .vscode; ln -s cfg ${LONG}$b`,
  "a second hard link": "mkdir .vscode; ln cfg/tasks.json .vscode/t$b; ln cfg/hook.sh .vscode/h",
  "a hard link beside its decoy":
    "mkdir .vscode; ln cfg/tasks.json .vscode/t$b; echo > .vscode/t$r; ln cfg/hook.sh .vscode/h",
  "a repository of a work tree":
    "mkdir w g$b; echo gitdir: ../g$b > w/.git; printf '[core]\\nhooksPath = cfg\\n' > g$b/config",
  "a folder of hooks":
    "git init -q .; git config core.hooksPath b$b; ln -s cfg b$b; cp cfg/hook.sh cfg/pre-commit",
  "an included file":
    "git init -q .; git config include.path b$b/i; mkdir .git/b$b; echo > .git/b$b/i",
};

async function withWay(script: string, options: ProjectOptions = {}) {
  return await new Promise<string>((resolve, reject) => {
    withProject({
      files: FILES,
      prepare: ({ project }) => shell(script, { cwd: project }),
      ...options,
    }, async ({ refused }) => {
      await refused("file.write", { path: "cfg/hook.sh", text: "x" });
      const { message } = await refused("file.write", { path: "cfg/tasks.json", text: "x" });
      resolve(message);
    }).catch(reject);
  });
}

Deno.test({
  name: "what a closed link leads to is closed where its name or its text is no UTF-8",
  ignore,
  async fn(t) {
    for (const [name, script] of Object.entries(WAYS)) {
      await t.step(name, async () => {
        assert.match(
          await withWay(script),
          /(?:cannot be (?:read|listed|looked at)|is no UTF-8).*writable/,
        );
      });
    }
  },
});

Deno.test({
  name: "a refusal names the closed link that cannot be read",
  ignore,
  async fn() {
    const message = await withWay("ln -s b$b .vscode; ln -s cfg b$b");
    assert.match(message, /a link may lead there: ".*\/project\/\.vscode" cannot be read/);
  },
});

Deno.test({
  name: "files and links of data with names that are no UTF-8 close nothing",
  ignore,
  fn: () =>
    withProject({
      files: { ...FILES, "~/.onetool/onetool.yaml": dump({}) },
      prepare: ({ project }) =>
        shell(
          "mkdir data; echo > data/\\ a$b.csv; echo > data/b$b; echo > data/b$(printf '\\376'); " +
            "ln -s b$b data/link; ln -s notes.md data/link$b; ln -s gone$r data/gone; echo > $r",
          { cwd: project },
        ),
    }, async ({ call, read, project }) => {
      await call("file.write", { path: "cfg/hook.sh", text: "x" });
      await call("file.write", { path: "data/new.csv", text: "1" });
      assert.equal(await read("data/new.csv"), "1");
      await call("file.write", { path: "\uFFFD", text: "x" });
      await call("file.move", { from: "data/new.csv", to: "data/other.csv" });
      assert.ok(await Deno.lstat(join(project, "data/other.csv")));
    }),
});

Deno.test({
  name: "what a server's script names by other bytes is closed, or leads through them",
  ignore,
  async fn(t) {
    const ways = {
      "a script": "printf '#!/bin/sh\nexec sh b%s/hook.sh\n' $b > start.sh; ln -s cfg b$b",
      "a folder": "ln -s b$b bin; ln -s cfg b$b; printf '#!/bin/sh\nsh bin/hook.sh\n' > start.sh",
    };
    for (const [name, script] of Object.entries(ways)) {
      await t.step(name, async () => {
        const servers = { it: { command: "sh", args: ["start.sh"] } };
        const prepare = ({ project }: { project: string }) => shell(script, { cwd: project });
        await withProject({ files: FILES, config: { servers }, prepare }, async ({ refused }) => {
          const { message } = await refused("file.write", { path: "notes.md", text: "x" });
          assert.match(message, /cannot be read/);
        });
      });
    }
  },
});

Deno.test({
  name: "a folder with a name that is no UTF-8 is neither moved nor deleted with its entries",
  ignore,
  async fn(t) {
    const trees = {
      "a folder": "mkdir -p tree/a$b; ln -s /etc tree/a$b/l",
      "beside a folder": "mkdir -p tree/a$b tree/a$r; ln -s /etc tree/a$b/l",
      "beside a file": "mkdir -p tree/a$b; echo > tree/a$r; ln -s /etc tree/a$b/l",
    };
    for (const [name, script] of Object.entries(trees)) {
      await t.step(name, () =>
        withProject({
          config: { packs: { file: { writable: ["."] } } },
          prepare: ({ project }) => shell(script, { cwd: project }),
        }, async ({ call, project }) => {
          await assert.rejects(call("file.move", { from: "tree", to: "other" }));
          await assert.rejects(call("file.delete", { path: "tree", recursive: true }));
          assert.ok(await Deno.lstat(join(project, "tree")));
        }));
    }
  },
});

Deno.test({
  name: "each search of a gateway tells that a folder cannot be looked at",
  ignore,
  fn: () =>
    withProject({
      files: FILES,
      prepare: ({ project }) => shell(WAYS["a folder with such a name"] ?? "", { cwd: project }),
    }, async ({ refused, call }) => {
      for (const path of ["cfg/tasks.json", "cfg/hook.sh", "cfg/tasks.json"]) {
        await refused("file.write", { path, text: "x" });
      }
      await call("file.read", { path: "notes.md" });
    }),
});
