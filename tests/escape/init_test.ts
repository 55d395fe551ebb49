/** `init` in a clone of a foreign repository writes only to its own files. */

import assert from "node:assert/strict";
import { lchownSync } from "node:fs";
import { dirname, join } from "node:path";
import { attempt } from "#base";
import { caught } from "../cli/io.ts";

const SECRET = "sk_live_secret";
const MCP = JSON.stringify({ mcpServers: { a: { command: "x", env: { A_TOKEN: SECRET } } } });
const SECRETS = ".onetool/secrets.yaml";
const ignore = Deno.uid() !== 0;
/** A repository in a folder of the clone, as git takes and clones it. */
const INNER = {
  ".onetool/HEAD": "ref: refs/heads/main\n",
  ".onetool/config":
    "[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = .\n\tignorecase = true\n",
  ".onetool/objects/k": "",
  ".onetool/refs/k": "",
};
const IGNORED = "secrets.yaml\n!secrets.yaml\nSECRETS.YAML\n";

interface Clone extends AsyncDisposable {
  readonly cwd: string;
  readonly home: string;
  readonly victim: string;
  git(...args: string[]): void;
}

/** A repository; a value that begins with `->` is a link. */
async function openClone(files: Readonly<Record<string, string>>): Promise<Clone> {
  const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "toolscript-clone-" }));
  const [cwd, home, victim] = [join(root, "clone"), join(root, "home"), join(root, "victim")];
  for (const folder of [cwd, home, victim]) await Deno.mkdir(folder);
  await Deno.writeTextFile(join(victim, "file"), "kept");
  for (const [path, text] of Object.entries(files)) {
    await Deno.mkdir(dirname(join(cwd, path)), { recursive: true });
    if (text.startsWith("->")) await Deno.symlink(join(victim, text.slice(2)), join(cwd, path));
    else await Deno.writeTextFile(join(cwd, path), text);
  }
  const git = (...args: string[]) => {
    const { success, stderr } = new Deno.Command("git", { args, cwd }).outputSync();
    assert.ok(success, new TextDecoder().decode(stderr));
  };
  git("init", "--quiet");
  return {
    cwd,
    home,
    victim,
    git,
    [Symbol.asyncDispose]: () => Deno.remove(root, { recursive: true }),
  };
}

/** Whether the secret stands in any file of the clone but its own, which only the user can read. */
async function isSafe({ cwd, victim }: Clone): Promise<boolean> {
  const { stdout } = await new Deno.Command("grep", {
    args: ["-rlF", SECRET, "--exclude=.mcp.json", cwd, victim],
  }).output();
  const paths = new TextDecoder().decode(stdout).trim().split("\n").filter(Boolean);
  return paths.every((path) => ((Deno.lstatSync(path).mode ?? 0) & 0o777) === 0o600);
}

Deno.test("init writes secrets only where neither other users nor git can read them", async (t) => {
  const rows: {
    readonly name: string;
    readonly files: Readonly<Record<string, string>>;
    readonly prepare?: (clone: Clone) => void;
    readonly says: RegExp;
    readonly ignore?: boolean;
  }[] = [
    {
      name: "a file that git tracks",
      files: { [SECRETS]: "" },
      prepare: ({ cwd, git }) => {
        Deno.chmodSync(join(cwd, SECRETS), 0o600);
        git("add", "-f", SECRETS);
      },
      says: /Cannot put secrets into ".*secrets\.yaml": git tracks it: git rm --cached/,
    },
    {
      name: "a file that git tracks and that was deleted",
      files: { [SECRETS]: "" },
      prepare: ({ cwd, git }) => {
        git("add", "-f", SECRETS);
        Deno.removeSync(join(cwd, SECRETS));
      },
      says: /git tracks it/,
    },
    {
      name: "a file that a rule takes back into git",
      files: { ".onetool/.gitignore": "secrets.yaml\n!secrets.yaml\n" },
      says: /git does not ignore it/,
    },
    {
      name: "a repository in .onetool that ignores what the clone does not",
      files: { ...INNER, ".onetool/.gitignore": IGNORED },
      says: /git does not ignore it/,
    },
    {
      name: "a bare repository in .onetool",
      files: {
        ...INNER,
        ".onetool/config": "[core]\n\tbare = true\n",
        ".onetool/.gitignore": IGNORED,
      },
      says: /git does not ignore it/,
    },
    {
      name: "a file that git tracks, in a folder with a repository",
      files: { ...INNER, [SECRETS]: "" },
      prepare: ({ cwd, git }) => {
        Deno.chmodSync(join(cwd, SECRETS), 0o600);
        git("add", "-f", SECRETS);
      },
      says: /git tracks it/,
    },
    {
      name: "a file that the repository above tracks",
      files: { [SECRETS]: "" },
      prepare: ({ cwd }) => {
        Deno.chmodSync(join(cwd, SECRETS), 0o600);
        const inner = join(cwd, ".git");
        Deno.renameSync(inner, `${cwd}.git`);
        for (const args of [["init", "-q"], ["add", "-f", `clone/${SECRETS}`]]) {
          new Deno.Command("git", { args, cwd: dirname(cwd) }).outputSync();
        }
        Deno.renameSync(`${cwd}.git`, inner);
      },
      says: /git tracks it/,
    },
    {
      name: "a folder .git that is no repository",
      files: { ".onetool/.gitignore": "secrets.yaml\n!secrets.yaml\n" },
      prepare: ({ cwd }) => {
        Deno.removeSync(join(cwd, ".git"), { recursive: true });
        Deno.mkdirSync(join(cwd, ".git"));
        new Deno.Command("git", { args: ["init", "-q"], cwd: dirname(cwd) }).outputSync();
      },
      says: /git does not ignore it/,
    },
    {
      name: "a file that others can read",
      files: { [SECRETS]: "" },
      says: /others can read it: chmod 600/,
    },
    {
      name: "a file of another user",
      files: { [SECRETS]: "" },
      prepare: ({ cwd }) => {
        Deno.chmodSync(join(cwd, SECRETS), 0o600);
        lchownSync(join(cwd, SECRETS), 12345, 12345);
      },
      says: /belongs to another user/,
      ignore,
    },
    {
      name: "a link",
      files: { [SECRETS]: "->file" },
      prepare: ({ victim }) => Deno.writeTextFileSync(join(victim, "file"), ""),
      says: /Cannot write ".*secrets\.yaml": .*is a link: remove it/,
    },
    {
      name: "a link to nowhere",
      files: { [SECRETS]: "->none" },
      says: /Cannot write ".*secrets\.yaml": .*is a link: remove it/,
    },
    {
      name: "a pipe",
      files: { ".onetool/x": "" },
      prepare: ({ cwd }) => {
        new Deno.Command("mkfifo", { args: ["-m", "600", join(cwd, SECRETS)] }).outputSync();
      },
      says: /it is a pipe/,
    },
    ...[".gitignore", ".git/info/exclude", ".git/HEAD", ".git/config"].map((path) => ({
      name: `a pipe at ${path}, which git waits for`,
      files: {},
      prepare: ({ cwd }: Clone) => {
        Deno.mkdirSync(join(cwd, ".git/info"), { recursive: true });
        attempt(() => Deno.removeSync(join(cwd, path)));
        new Deno.Command("mkfifo", { args: [join(cwd, path)] }).outputSync();
      },
      says: /git does not ignore it/,
    })),
  ];
  for (const { name, files, prepare, says, ignore = false } of rows) {
    await t.step({
      name,
      ignore,
      async fn() {
        await using clone = await openClone({ ...files, ".mcp.json": MCP });
        prepare?.(clone);
        const { code, stderr } = await caught(["init"], clone);
        assert.equal(code, 1, stderr);
        assert.match(stderr, says);
        assert.ok(!stderr.includes(SECRET));
        assert.ok(await isSafe(clone));
        assert.deepEqual([...Deno.readDirSync(clone.victim)].length, 1);
        assert.ok(!await Deno.stat(join(clone.cwd, ".onetool/onetool.yaml")).catch(() => null));
      },
    });
  }
});

Deno.test("init puts secrets into a file that git ignores, 0600", async () => {
  await using clone = await openClone({ ".mcp.json": MCP });
  const { code, stderr } = await caught(["init"], clone);
  assert.equal(code, 0, stderr);
  const text = await Deno.readTextFile(join(clone.cwd, SECRETS));
  assert.equal(text, `A_TOKEN: ${SECRET}\n`);
  assert.ok(await isSafe(clone));
  clone.git("check-ignore", "--quiet", SECRETS);
});

Deno.test("init puts secrets into a clone whose name is a pattern, in a submodule and below others", async (t) => {
  for (const name of ["a*b", ":(exclude)x", "[a]", "plain"]) {
    await t.step(name, async () => {
      await using clone = await openClone({ [`sub/${name}/.mcp.json`]: MCP });
      const cwd = join(clone.cwd, "sub", name);
      for (const folder of [join(clone.cwd, "sub"), ...name === "plain" ? [cwd] : []]) {
        new Deno.Command("git", { args: ["init", "-q"], cwd: folder }).outputSync();
      }
      const { code, stderr } = await caught(["init"], { ...clone, cwd });
      assert.equal(code, 0, stderr);
      assert.ok(await isSafe(clone));
    });
  }
});

Deno.test("connect --move puts no secrets where a repository in .onetool answers for the clone", async () => {
  await using clone = await openClone({
    ...INNER,
    ".mcp.json": MCP,
    ".onetool/.gitignore": IGNORED,
  });
  const { code, stdout, stderr } = await caught(["connect", "claude-code", "--move"], clone);
  assert.equal(code, 1, stdout);
  assert.match(stderr, /git does not ignore it/);
  assert.equal(await Deno.readTextFile(join(clone.cwd, ".mcp.json")), MCP);
  assert.ok(await isSafe(clone));
});

Deno.test("init starts nothing that a repository configures for git", async () => {
  await using clone = await openClone({ ".mcp.json": MCP });
  const mark = join(clone.victim, "started");
  for (const key of ["core.fsmonitor", "core.pager", "core.sshCommand", "alias.ls-files"]) {
    clone.git("config", key, key.startsWith("alias") ? `!touch ${mark}` : `touch ${mark}`);
  }
  assert.equal((await caught(["init"], clone)).code, 0);
  assert.ok(!await Deno.stat(mark).catch(() => null));
});

Deno.test("init writes nothing through a link", async (t) => {
  const rows = [
    [".onetool/.gitignore", "->file"],
    [".onetool/cache", "->."],
    [".onetool/cache/onetool.schema.json", "->file"],
    [".onetool", "->."],
  ] as const;
  for (const [path, target] of rows) {
    await t.step(path, async () => {
      await using clone = await openClone({ [path]: target });
      const { code, stderr } = await caught(["init"], clone);
      assert.equal(code, 1, stderr);
      assert.match(stderr, /link|not your own folder/);
      assert.equal(await Deno.readTextFile(join(clone.victim, "file")), "kept");
      assert.equal([...Deno.readDirSync(clone.victim)].length, 1);
    });
  }
  for (const path of [".onetool", ".onetool/tools", ".onetool/tools/mine"]) {
    await t.step(`init pack: ${path}`, async () => {
      await using clone = await openClone({ [path]: "->." });
      const { code, stderr } = await caught(["init", "pack", "mine"], clone);
      assert.equal(code, 1, stderr);
      assert.match(stderr, /not your own folder/);
      assert.equal([...Deno.readDirSync(clone.victim)].length, 1);
    });
  }
});

Deno.test("init imports no server from a file that another user can write", async (t) => {
  const rows: Record<string, (path: string) => void> = {
    "writable by everyone": (path) => Deno.chmodSync(path, 0o666),
    "a device": (path) => {
      Deno.removeSync(path);
      Deno.symlinkSync("/dev/zero", path);
    },
    "a pipe": (path) => {
      Deno.removeSync(path);
      new Deno.Command("mkfifo", { args: [path] }).outputSync();
    },
  };
  for (const [name, prepare] of Object.entries(rows)) {
    await t.step(name, async () => {
      await using clone = await openClone({ ".cursor/mcp.json": MCP });
      prepare(join(clone.cwd, ".cursor/mcp.json"));
      const { code, stderr } = await caught(["init"], clone);
      assert.equal(code, 0, stderr);
      assert.match(
        stderr,
        /Cannot take servers from ".*mcp\.json": (a link leads out|everyone can|it is a pipe)/,
      );
      assert.ok(!await Deno.lstat(join(clone.cwd, SECRETS)).catch(() => null));
    });
  }
});
