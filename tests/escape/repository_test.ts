/** Repositories under other names than `.git`, and objects of other repositories. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { withProject } from "../support/project.ts";

const ENV = {
  GIT_AUTHOR_NAME: "a",
  GIT_AUTHOR_EMAIL: "a@example.com",
  GIT_COMMITTER_NAME: "a",
  GIT_COMMITTER_EMAIL: "a@example.com",
};

function git(cwd: string, ...args: string[]): string {
  const { success, stdout, stderr } = new Deno.Command("git", { args, cwd, env: ENV }).outputSync();
  assert.ok(success, new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout).trim();
}

function commit(folder: string, name: string): void {
  git(folder, "init", "--quiet", "--initial-branch=main");
  Deno.writeTextFileSync(join(folder, name), `text of ${name}\n`);
  git(folder, "add", name);
  git(folder, "commit", "--quiet", "--message", `adds ${name}`);
}

const HEAD = "ref: refs/heads/main\n";

Deno.test("a program makes no repository under another name", () =>
  withProject({
    files: {
      "stage/head.txt": HEAD,
      "stage/config": "[core]",
      "tree/sub/HEAD": HEAD,
      "half/HEAD": HEAD,
      "bare.git/HEAD": HEAD,
      "bare.git/config": "[core]",
    },
  }, async ({ project, call, refused }) => {
    await refused("file.write", { path: "docs/HEAD", text: HEAD });
    await refused("file.copy", { from: "stage/head.txt", to: "stage/HEAD" });
    await refused("file.move", { from: "stage/head.txt", to: "stage/HEAD" });
    await refused("file.move", { from: "tree", to: "moved" });
    await call("file.copy", { from: "tree", to: "copied" });
    await assert.rejects(Deno.lstat(join(project, "copied/sub/HEAD")), Deno.errors.NotFound);
    for (const name of ["config", "commondir", "hooks/post-checkout", "refs/x", "objects/x"]) {
      await refused("file.write", { path: `half/${name}`, text: "x" });
    }
    await refused("file.make_folder", { path: "half/objects" });
    await refused("file.move", { from: "stage/config", to: "half/config" });
    await refused("file.edit", { path: "bare.git/config", old: "[core]", new: "[x]" });
    await refused("file.write", { path: "bare.git/hooks/post-update", text: "x" });
    await refused("file.delete", { path: "half/HEAD" });
  }));

Deno.test("a folder whose name looks like several names holds no repository either", () => {
  const folders = ["r\\x", "c℅d", "a／b", "\u200b", "docs/⁄℀/℅/deep"];
  return withProject({
    files: Object.fromEntries(folders.flatMap((folder) => [
      [`${folder}/half/HEAD`, HEAD],
      [`${folder}/nested/package.json`, "{}"],
    ])),
  }, async ({ call, refused }) => {
    for (const folder of folders) {
      for (const name of ["HEAD", "half/config", "half/hooks/pre-commit", "nested/.foorc.js"]) {
        await refused("file.write", { path: `${folder}/${name}`, text: "x" });
      }
      await call("file.write", { path: `${folder}/config`, text: "x" });
    }
  });
});

Deno.test("the same names are open where no repository is", () =>
  withProject({ files: { "ui/head/a.ts": "" } }, async ({ call }) => {
    for (const path of ["app/config", "app/hooks/use.ts", "app/objects/a.txt", "web/head/b.ts"]) {
      await call("file.write", { path, text: "x" });
    }
    await call("file.move", { from: "ui", to: "moved" });
    await call("file.write", { path: "moved/HEAD.md", text: "x" });
  }));

Deno.test("packs.file.writable opens a repository under another name", () =>
  withProject({
    config: { packs: { file: { writable: ["fixtures"] } } },
  }, async ({ call }) => {
    for (const name of ["HEAD", "config", "refs/heads/main"]) {
      await call("file.write", { path: `fixtures/repo/${name}`, text: HEAD });
    }
  }));

Deno.test("git reads no objects of a repository that is outside", async (t) => {
  const rows: Record<string, (own: string, other: string) => void> = {
    "alternates": (own, other) => {
      Deno.mkdirSync(join(own, "info"), { recursive: true });
      Deno.writeTextFileSync(join(own, "info/alternates"), `# more\n${other}\n`);
    },
    "alternates behind a link and `..`": (own, other) => {
      const project = join(own, "../..");
      Deno.symlinkSync(join(other, "../refs"), join(project, "way"));
      Deno.mkdirSync(join(project, "objects"));
      Deno.mkdirSync(join(own, "info"), { recursive: true });
      Deno.writeTextFileSync(join(own, "info/alternates"), `${project}/way/../objects\n`);
    },
    "alternates in quotes": (own, other) => {
      Deno.mkdirSync(join(own, "info"), { recursive: true });
      Deno.writeTextFileSync(join(own, "info/alternates"), `"${other}"\n`);
    },
    "alternates of alternates": (own, other) => {
      const between = join(own, "../../between");
      Deno.mkdirSync(join(between, "info"), { recursive: true });
      Deno.mkdirSync(join(own, "info"), { recursive: true });
      Deno.writeTextFileSync(join(own, "info/alternates"), "../../between\n");
      Deno.writeTextFileSync(join(between, "info/alternates"), `${other}\n`);
    },
    "a link in place of objects": (own, other) => {
      Deno.removeSync(own, { recursive: true });
      Deno.symlinkSync(other, own);
    },
    "links to folders of objects": (own, other) => {
      for (const { name } of Deno.readDirSync(other)) {
        if (!/^[0-9a-f]{2}$/.test(name)) continue;
        Deno.removeSync(join(own, name), { recursive: true });
        Deno.symlinkSync(join(other, name), join(own, name));
      }
    },
  };
  for (const [name, prepare] of Object.entries(rows)) {
    await t.step(name, () =>
      withProject({}, async ({ project, home, call }) => {
        commit(project, "own.txt");
        commit(home, "private.txt");
        const objects = join(project, ".git/objects");
        const other = join(home, ".git/objects");
        for (const { name } of Deno.readDirSync(other)) {
          if (name.length === 2) Deno.mkdirSync(join(objects, name), { recursive: true });
        }
        prepare(objects, other);
        const id = git(home, "rev-parse", "HEAD");
        Deno.writeTextFileSync(join(project, ".git/refs/heads/x"), `${id}\n`);
        // Also where git itself would show it.
        assert.match(
          git(project, "log", "--format=%s", "-1", "x"),
          /private/,
          "the proof itself works",
        );
        await assert.rejects(call("git.show", { revision: "x" }), /outside|unusual/);
        await assert.rejects(call("git.log", { revision: id.slice(0, 4) }), /outside|unusual/);
      }));
  }
});

Deno.test("alternates within the allowed folders are read", () =>
  withProject({}, async ({ project, call }) => {
    const other = join(project, "other");
    Deno.mkdirSync(other);
    commit(other, "a.txt");
    git(project, "clone", "--quiet", "--shared", other, "clone");
    const { commits } = await call("git.log", { repo: "clone" });
    assert.equal((commits as unknown[]).length, 1);
  }));

Deno.test("git quotes no file that a repository's configuration names", async (t) => {
  const secret = "TOKEN: gh/SECRET/x\n";
  const rows: Record<string, (folder: string, path: string) => void> = {
    "attributes": (folder, path) => void git(folder, "config", "core.attributesFile", path),
    "attributes behind a link": (folder, path) => {
      Deno.mkdirSync(join(folder, ".git/info"), { recursive: true });
      Deno.symlinkSync(path, join(folder, ".git/info/attributes"));
    },
    "an included file": (folder, path) => void git(folder, "config", "include.path", path),
    "grafts": (folder, path) => {
      git(folder, "config", "advice.graftFileDeprecated", "false");
      Deno.mkdirSync(join(folder, ".git/info"), { recursive: true });
      Deno.symlinkSync(path, join(folder, ".git/info/grafts"));
    },
  };
  for (const [name, prepare] of Object.entries(rows)) {
    await t.step(
      name,
      () =>
        withProject({ files: { "~/private.txt": secret } }, async ({ project, home, call }) => {
          commit(project, "a.txt");
          commit(project, "b.txt");
          const blob = git(project, "rev-parse", "HEAD:b.txt");
          Deno.removeSync(join(project, ".git/objects", blob.slice(0, 2), blob.slice(2)));
          prepare(project, join(home, "private.txt"));
          const calls = [
            call("git.diff", { from: "HEAD~1", to: "HEAD" }),
            call("git.show", {}),
            call("git.file", { file: "b.txt" }),
            call("git.blame", { file: "b.txt" }),
          ];
          const failed = (await Promise.allSettled(calls)).flatMap((result) =>
            result.status === "rejected" ? [String(result.reason)] : []
          );
          assert.ok(failed.length > 0);
          assert.doesNotMatch(failed.join("\n"), /SECRET/);
        }),
    );
  }
});
