/** The `git` pack where names and texts of a repository are no UTF-8: git goes on with their bytes. */

import assert from "node:assert/strict";
import { join } from "node:path";
import type { JsonObject } from "#base";
import { commitFirst, ignore, type Stage, withStage } from "./stage.ts";

const TOOLS = ["branches", "status", "log", "diff"];
const FILE = { path: "a.txt", from: null, staged: "unchanged", unstaged: "modified" };

/** Bytes as `printf` takes them. */
const NAMES: Readonly<Record<string, string>> = {
  "other bytes": "\\377",
  "a letter of Latin-1": "caf\\351",
  "an overlong form": "\\300\\257",
  "half of a pair": "\\355\\240\\200",
  "a sequence that ends early": "\\342\\202",
  "above all characters": "\\364\\220\\200\\200",
};

/** Runs a script in the project; `$N` is the name, `$H` the folder around the project. */
async function shell({ project, home }: Stage, script: string, name = ""): Promise<void> {
  const { success, stderr } = await new Deno.Command("sh", {
    args: ["-ec", `N=$(printf '${name}')\n${script}`],
    cwd: project,
    env: { H: home, HOME: home, PATH: "/usr/bin:/bin:/usr/local/bin", LC_ALL: "C" },
    clearEnv: true,
  }).output();
  assert.ok(success, new TextDecoder().decode(stderr));
}

/** Makes a repository outside of the project, with one file. */
async function makePrivate({ git, home }: Stage): Promise<void> {
  const folder = join(home, "private");
  await git("init", "-q", "-b", "main", folder);
  await Deno.writeTextFile(join(folder, "key.txt"), "sesame\n");
  await git("-C", folder, "add", ".");
  await git("-C", folder, "commit", "-qm", "Private");
}

function each(title: string, work: (stage: Stage, name: string) => Promise<void>): void {
  for (const [kind, name] of Object.entries(NAMES)) {
    Deno.test({
      name: `${title}: ${kind}`,
      ignore,
      fn: () => withStage(async (stage) => (await commitFirst(stage), await work(stage, name))),
    });
  }
}

each("git starts no filter whose name is no UTF-8", async (stage, name) => {
  const { home, refused, call, put } = stage;
  const proof = join(home, "proof");
  await shell(
    stage,
    `printf '[filter "%s"]\\n\\tclean = "touch $H/proof; cat"\\n' "$N" > own
    printf '[include]\\n\\tpath = ../own\\n' >> .git/config
    printf '*.txt filter=%s\\n' "$N" > .gitattributes`,
    name,
  );
  await put("a.txt", "two\n");
  for (const tool of TOOLS) await refused(tool, {}, /a filter whose name is no UTF-8: rename it/);
  await assert.rejects(Deno.stat(proof), Deno.errors.NotFound);
  // A filter with the name as it is decoded is another one.
  await put("own", '[filter "\ufffd"]\n\tclean = "touch proof; cat"\n\trequired\n');
  await put(".gitattributes", "*.txt filter=\ufffd\n");
  await call("diff");
  await assert.rejects(Deno.stat(join(stage.project, "proof")), Deno.errors.NotFound);
});

each("git reads a repository whose branch is named in its settings", async (stage, name) => {
  await shell(
    stage,
    `printf '[branch "%s"]\\n\\tremote = origin\\n\\tmerge = refs/heads/%s\\n' "$N" "$N" >> .git/config
    printf '[user]\\n\\tname = %s\\n' "$N" >> .git/config`,
    name,
  );
  for (const tool of TOOLS) await stage.call(tool);
});

each("git reads no objects and refs behind a name that is no UTF-8", async (stage, name) => {
  const { refused, call, project } = stage;
  await makePrivate(stage);
  await shell(
    stage,
    `mkdir -p x ".git/refs/heads/$N"; ln -s "$H/private/.git" "x/$N"
    ln -s "$H/private/.git/refs/heads/main" ".git/refs/heads/$N/m"
    printf '../../x/%s/objects\\n' "$N" > .git/objects/info/alternates`,
    name,
  );
  const decoy = name.replace(/(?:\\\d{3})+/, "\ufffd");
  await Deno.mkdir(join(project, "x", decoy, "objects"), { recursive: true });
  for (const tool of TOOLS) await refused(tool, {}, /^(?!.*(?:sesame|Private)).*(?:is no UTF-8)/);
  await shell(stage, `rm -r ".git/refs/heads/$N"`, name);
  for (const tool of TOOLS) await refused(tool, {}, /alternates is unusual/);
  await Deno.remove(join(project, ".git/objects/info/alternates"));
  for (const tool of TOOLS) await call(tool);
});

each("git reads no pack behind a link whose name is no UTF-8", async (stage, name) => {
  const { project, refused } = stage;
  await makePrivate(stage);
  await stage.git("-C", join(stage.home, "private"), "repack", "-adq");
  await shell(
    stage,
    `cd .git/objects/pack; for end in pack idx; do
      ln -s "$H"/private/.git/objects/pack/*.$end "pack-$N.$end"; done`,
    name,
  );
  const decoy = `pack-${name.replace(/(?:\\\d{3})+/, "\ufffd")}`;
  for (const end of ["pack", "idx"]) {
    await Deno.writeTextFile(join(project, ".git/objects/pack", `${decoy}.${end}`), "");
  }
  for (const tool of TOOLS) await refused(tool, {}, /is no UTF-8|outside the allowed/);
});

each("git shows nothing of a repository in a place whose name is no UTF-8", async (stage, name) => {
  const { call, git, home } = stage;
  const token = "deadbeef0123456789abcdef0123456789abcdef";
  await Deno.writeTextFile(join(home, "token"), `${token}\n`);
  await shell(stage, 'echo hi > "s$N"; git add .', name);
  await git("commit", "-qm", "Second");
  await shell(
    stage,
    `rm "s$N"; mkdir -p "s$N/.git/refs/heads" "s$N/.git/objects"
    echo 'ref: refs/heads/m' > "s$N/.git/HEAD"; ln -s "$H/token" "s$N/.git/refs/heads/m"
    echo two > a.txt`,
    name,
  );
  assert.match(await git("diff"), new RegExp(token), "nothing was at stake");
  const rows: JsonObject[] = [{}, { from: "HEAD" }, { from: "HEAD~1" }];
  for (const args of rows) {
    const answer = await call("diff", args);
    assert.doesNotMatch(JSON.stringify(answer), /deadbee/);
    assert.match(String(answer.text), /^\+two$/m, "the other files stay");
  }
});

each("git shows commits with names that are no UTF-8, but for closed ones", async (stage, name) => {
  const { call, git } = stage;
  await shell(
    stage,
    `echo old > "s$N"; echo other > sx; mkdir -p .onetool/cache "d$N/.onetool/run" "e$N"
    echo sesame > ".onetool/cache/$N"; echo sesame > "d$N/.onetool/run/$N"
    echo sesame > "e$N/secrets.yaml"; git add -f .`,
    name,
  );
  await git("commit", "-qm", "Second");
  for (const [tool, args] of [["show", {}], ["diff", { from: "HEAD~1", to: "HEAD" }]] as const) {
    const { text, files } = await call(tool, args) as { text: string; files: { path: string }[] };
    assert.match(text, /^\+old$/m);
    assert.match(text, /^\+other$/m);
    assert.doesNotMatch(text, /sesame/);
    assert.equal(files.length, 2);
    assert.match(files.map(({ path }) => path).sort().join(), /^s.*\ufffd.*,sx|^sx,s.*\ufffd/);
  }
  await shell(stage, 'echo new > "s$N"; echo new > "u$N"', name);
  const { changes } = await call("status") as { changes: { path: string }[] };
  assert.deepEqual(changes.map(({ path }) => path[0]).sort(), ["s", "u"]);
  assert.equal((await call("log", {})).more, false);
});

Deno.test({
  name: "git shows two files of a commit whose names look the same",
  ignore,
  fn: () =>
    withStage(async (stage) => {
      await commitFirst(stage);
      await shell(
        stage,
        `printf 1 > "$(printf 'x\\377')"; printf 2 > "$(printf 'x\\376')"; git add .`,
      );
      await stage.git("commit", "-qm", "Second");
      const { files } = await stage.call("show") as { files: { path: string; added: number }[] };
      assert.deepEqual(files.map(({ path, added }) => `${path} ${added}`), [
        "x\ufffd 1",
        "x\ufffd 1",
      ]);
    }),
});

Deno.test({
  name: "git keeps a name that has the sign of a replacement itself",
  ignore,
  fn: () =>
    withStage(async (stage) => {
      await commitFirst(stage);
      const { put, git, call } = stage;
      await put("b\ufffd[*].txt", "one\n");
      await put("\ufeffc.txt", "one\n");
      await git("add", ".");
      await git("branch", "b\ufffd");
      await git("branch", "\ufeffc");
      await git("commit", "-qm", "Second");
      await put("b\ufffd[*].txt", "two\n");
      await put("\ufeffc.txt", "two\n");
      const { files, text } = await call("diff") as { files: { path: string }[]; text: string };
      assert.deepEqual(
        files.map(({ path }) => path).sort(),
        ["b\ufffd[*].txt", "\ufeffc.txt"].sort(),
      );
      assert.equal(text.match(/^\+two$/gm)?.length, 2);
      assert.equal((await call("branches")).branches instanceof Array, true);
      assert.equal(((await call("log", { revision: "b\ufffd" })).commits as unknown[]).length, 1);
      assert.equal((await call("file", { file: "b\ufffd[*].txt" })).text, "one\n");
    }),
});

const ALTERNATES: Readonly<Record<string, readonly [text: string, problem: RegExp]>> = {
  "a byte order mark": ["\\357\\273\\277d/l", /outside the allowed folders/],
  "the end of a text of C": ["d/l\\000/../../../inside", /no NUL character/],
  "a comment that ends early": ["#\\000\\nd/l", /outside the allowed folders/],
};

for (const [kind, [text, problem]] of Object.entries(ALTERNATES)) {
  Deno.test({
    name: `git reads no objects of another repository by ${kind} in alternates`,
    ignore,
    fn: () =>
      withStage(async (stage) => {
        await commitFirst(stage);
        await makePrivate(stage);
        const { git, home, refused, project } = stage;
        await shell(
          stage,
          `M=$(printf '\\357\\273\\277'); mkdir -p ".git/objects/\${M}d" .git/objects/d inside
          ln -s "$H/private/.git/objects" ".git/objects/\${M}d/l"
          printf '${text}\\n' > .git/objects/info/alternates`,
        );
        if (!kind.includes("mark")) {
          await Deno.remove(join(project, ".git/objects/d"));
          await Deno.rename(join(project, ".git/objects/\ufeffd"), join(project, ".git/objects/d"));
        } else await Deno.mkdir(join(project, ".git/objects/d/l"));
        const revision = await git("-C", join(home, "private"), "rev-parse", "HEAD");
        await refused("file", { file: "key.txt", revision }, problem);
      }),
  });
}

Deno.test({
  name: "git leaves out nothing by a list of names or patterns outside the allowed folders",
  ignore,
  fn: () =>
    withStage(async (stage) => {
      await commitFirst(stage);
      const { git, put, call, home, refused, project } = stage;
      const paths = async () =>
        ((await call("status")).changes as { path: string }[]).map(({ path }) => path).sort();
      await Deno.writeTextFile(join(home, "pin"), "4711\n* filter=x\n");
      for (const pin of ["4710", "4711"]) await put(pin, "x");
      assert.deepEqual(await paths(), ["4710", "4711"]);
      await git("config", "core.excludesFile", join(home, "pin"));
      assert.deepEqual(await paths(), ["4710", "4711"]);
      await git("config", "core.excludesFile", "~/pin");
      assert.deepEqual(await paths(), ["4710", "4711"]);
      await shell(stage, 'ln -s "$H/pin" "$N"; git config core.excludesFile "$N"', "p\\377");
      assert.deepEqual((await paths()).slice(0, 2), ["4710", "4711"]);
      await shell(stage, 'rm "$N"', "p\\377");
      await put("lists/own", "4710\nlists\n");
      await git("config", "core.excludesFile", "lists/own");
      assert.deepEqual(await paths(), ["4711"], "the repository's own list counts");
      await git("config", "--unset", "core.excludesFile");
      // The list of the person is the person's.
      await git("config", "--global", "core.excludesFile", "~/pin");
      assert.deepEqual(await paths(), ["4710", "lists/own"]);
      for (const name of ["exclude", "attributes", "grafts"]) {
        const file = join(project, ".git/info", name);
        await Deno.remove(file).catch(() => {});
        await Deno.symlink(join(home, "pin"), file);
        await refused("status", {}, /outside the allowed folders/);
        await Deno.remove(file);
      }
    }),
});

Deno.test({
  name: "git takes no attributes from a file outside the allowed folders",
  ignore,
  fn: () =>
    withStage(async (stage) => {
      await commitFirst(stage);
      const { git, put, call, home } = stage;
      await Deno.writeTextFile(join(home, "pin"), "a.txt -diff\n");
      await put("a.txt", "two\n");
      await git("config", "core.attributesFile", join(home, "pin"));
      assert.match(await git("diff"), /Binary files/, "nothing was at stake");
      assert.match(String((await call("diff")).text), /^\+two$/m);
      await put("own", "a.txt -diff\n");
      await git("config", "core.attributesFile", "own");
      assert.match(String((await call("diff")).text), /Binary files/);
      assert.deepEqual(((await call("status")).changes as unknown[])[0], FILE);
    }),
});
