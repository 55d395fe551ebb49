import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { loadConfig } from "#config";
import { type ClosedPaths, createClosedPaths, createLookProcess } from "#packs";
import { closedOf } from "../../support/closed.ts";

interface Place extends AsyncDisposable {
  readonly project: string;
  readonly config: Awaited<ReturnType<typeof loadConfig>>;
}

/** Makes a project in which rules of all kinds close something. */
async function openPlace(): Promise<Place> {
  const root = await Deno.realPath(await Deno.makeTempDir());
  const [home, project] = [join(root, "home"), join(root, "project")];
  const files = {
    "project/.onetool/onetool.yaml": JSON.stringify({
      servers: { one: { command: "node", args: ["srv/one.js"] } },
      packs: { file: { allowed: ["../shared"], writable: ["srv/open.js"] } },
    }),
    "project/.onetool/secrets.yaml": "A: b\n",
    "project/.git/HEAD": "ref: refs/heads/main\n",
    "project/.git/config": '[core]\nhooksPath = hooks\n[filter "x"]\nclean = tools/clean run\n',
    "project/.git/objects/.keep": "",
    "project/srv/one.js": "",
    "project/hooks/pre-commit": "",
    "project/sub/package.json": "{}",
    "project/notes.md": "",
    "shared/agents.md": "",
    "home/.keep": "",
  };
  for (const [name, text] of Object.entries(files)) {
    await Deno.mkdir(dirname(join(root, name)), { recursive: true });
    await Deno.writeTextFile(join(root, name), text);
  }
  await Deno.symlink("../shared/agents.md", join(project, "CLAUDE.md"));
  await Deno.link(join(project, ".onetool/secrets.yaml"), join(project, "copy.txt"));
  const env = { TOOLSCRIPT_TRUST: "all" };
  return {
    project,
    config: await loadConfig({ env, home, cwd: project }),
    [Symbol.asyncDispose]: () => Deno.remove(root, { recursive: true }),
  };
}

const PATHS = [
  "srv/one.js",
  "srv/two.mjs",
  "srv/open.js",
  "srv/data.csv",
  "lib.ts",
  "notes.md",
  "new/a.md",
  "hooks/pre-commit",
  "hooks/new",
  "tools/clean",
  "tools/other",
  ".git/x",
  ".onetool/x",
  "../shared/agents.md",
  "../shared/free.md",
  "CLAUDE.md",
  "sub/.x",
  "package.json",
  "a.txt",
  "copy.txt",
  ".onetool/secrets.yaml",
  "x-wal",
  "sub",
  "srv",
  "data",
];

/** What is decided of each path: for reading, for changes, and of a folder. */
async function decided(closed: ClosedPaths, project: string) {
  const all = PATHS.map(async (name) => {
    const path = join(project, name);
    return [name, await closed.read(path), await closed.change(path), await closed.holds(path)];
  });
  return [...await Promise.all(all), await closed.readRules()];
}

Deno.test("a look in a process of its own closes what one in this process does", async () => {
  await using place = await openPlace();
  await using apart = closedOf(place.config, { isApart: true });
  await using here = closedOf(place.config);
  const [one, other] = [await decided(apart, place.project), await decided(here, place.project)];
  assert.deepEqual(one, other);
  // Rules of many kinds have closed something.
  const reasons = new Set(
    one.flat().flatMap((item) => {
      return typeof item === "object" && item !== null && "why" in item ? [item.why] : [];
    }),
  );
  assert.ok(reasons.size > 8, [...reasons].join("\n"));
});

Deno.test("a look that takes too long closes every file to changes, and holds up no reading", async () => {
  await using place = await openPlace();
  let ms = 0;
  const now = () => ms;
  const environment = Deno.env.toObject();
  const looks = createLookProcess({ environment, now, timeoutMs: 1 });
  await using closed = createClosedPaths({ sources: () => place.config.closed, looks, now });
  const at = (name: string) => join(place.project, name);
  const late = {
    why: "it may be closed: Toolscript cannot look for closed files: it took longer than 0.001 s",
    opens: true,
  };
  for (const step of [0, 1_000, 5_000, 60_000]) {
    ms += step;
    assert.deepEqual(await closed.change(at("notes.md")), late);
    assert.equal(await closed.read(at("notes.md")), undefined);
  }
  // What the configuration alone decides stays as it is.
  assert.equal(await closed.change(at("srv/open.js")), undefined);
  assert.deepEqual(await closed.change(at(".onetool/x")), {
    why: "it belongs to Toolscript",
    opens: false,
  });
  assert.equal(await closed.read(at(".onetool/secrets.yaml")), "it holds secrets");
  assert.match(
    await closed.read(at("copy.txt")) ?? "",
    /^it may hold secrets, under another name: Toolscript cannot look for closed files: .* 0.001 s$/,
  );
});
