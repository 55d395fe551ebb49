/** Folders above a project, the configuration and packs in which another user can put something else. */

import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { discoverPacks } from "#packs";
import { openProject, type TestProject } from "../config/project.ts";
import { cli } from "../support/cli.ts";
import { give, ignore, MAIN, type Row, SERVERS, STRANGER, textOf, warningsOf } from "./owner.ts";

/** The look at folders above is left out where all projects are trusted. */
const SHARED = { env: { TOOLSCRIPT_TRUST: "" } };
const PACK = ".onetool/tools/own/own_tools.ts";
const MCP = '{"mcpServers": {"evil": {"command": "/bin/evil"}}}';

type Opening = Pick<Row, "name" | "ignore"> & {
  /** Opens a folder to others. */
  readonly open: (folder: string) => void;
  readonly why: RegExp;
};

const OPENINGS: readonly Opening[] = [
  {
    name: "everyone can write to",
    open: (folder) => Deno.chmodSync(folder, 0o777),
    why: /everyone can write to the folder "[^"]*" above it\. Close it: chmod go-w \S+, or keep/,
  },
  {
    name: "another group can write to",
    open: (folder) => {
      Deno.chownSync(folder, null, STRANGER);
      Deno.chmodSync(folder, 0o775);
    },
    why: /the group 12345 can write to the folder "[^"]*" above it\. Close it/,
    ignore,
  },
  {
    name: "belongs to another user",
    open: give,
    why: /the folder "[^"]*" above it belongs to another user \(12345\)\. .* chown -h 0 /,
    ignore,
  },
  {
    name: "belongs to another user, sticky",
    open: (folder) => {
      give(folder);
      Deno.chmodSync(folder, 0o1777);
    },
    why: /the folder "[^"]*" above it belongs to another user/,
    ignore,
  },
];

/** Folder that a temporary project and its home lie in. */
const above = ({ project }: TestProject) => dirname(project);

Deno.test("loadConfig() reads nothing below a folder that others can change", async (t) => {
  for (const { name, open, why, ignore = false } of OPENINGS) {
    const step = (what: string, fn: () => Promise<void>) =>
      t.step({ name: `${what}, ${name}`, ignore, fn });
    for (const file of [MAIN, ".mcp.json", "~/.onetool/onetool.yaml"]) {
      await step(file, async () => {
        await using it = await openProject({ [file]: file === ".mcp.json" ? MCP : SERVERS });
        open(above(it));
        const { servers, trust, warnings } = await it.load(SHARED);
        assert.deepEqual([servers, trust.kind, warnings.length], [[], "none", 1]);
        const [text = ""] = warnings.map(textOf);
        assert.match(text, file.startsWith("~") ? /nothing in it applies/ : why);
        assert.match(text, /TOOLSCRIPT_TRUST=all$/);
      });
    }
    await step("a file that is named", async () => {
      await using it = await openProject({ "a/b/named.yaml": SERVERS });
      open(join(it.project, "a"));
      const config = await it.load({ ...SHARED, explicit: join(it.project, "a/b/named.yaml") });
      assert.deepEqual(config.servers, []);
    });
    await step("an include behind a link", async () => {
      const text = 'include: "../link.yaml"\n';
      await using it = await openProject({ [MAIN]: text, "a/b/more.yaml": SERVERS });
      await Deno.symlink("a/b/more.yaml", join(it.project, "link.yaml"));
      open(join(it.project, "a"));
      const config = await it.load(SHARED);
      assert.match(warningsOf(config), why);
      assert.equal(config.trust.kind, "none");
    });
    await step("packs of project and home folder", async () => {
      await using it = await openProject({ [PACK]: "", [`~/${PACK}`]: "" });
      open(above(it));
      const { packs, findings } = discoverPacks({ ...it, reserved: new Map() });
      assert.deepEqual([packs, findings.length], [[], 2]);
      assert.match(findings.map(textOf).join("\n"), why);
    });
  }
});

Deno.test("loadConfig() reads below folders that only the user can change", async (t) => {
  const rows: Record<string, (folder: string) => void> = {
    "as they are made": () => {},
    "sticky, for everyone": (folder) => Deno.chmodSync(folder, 0o1777),
    "with a right for the user's own group": (folder) => {
      Deno.chownSync(folder, null, Deno.gid());
      Deno.chmodSync(folder, 0o775);
    },
    "closed to listing": (folder) => Deno.chmodSync(folder, 0o711),
  };
  for (const [name, prepare] of Object.entries(rows)) {
    await t.step(name, async () => {
      await using it = await openProject({ [MAIN]: SERVERS, [`~/${PACK}`]: "" });
      prepare(above(it));
      const { trust, warnings } = await it.load(SHARED);
      assert.deepEqual([trust.kind, warnings], ["untrusted", []]);
      assert.equal(discoverPacks({ ...it, reserved: new Map() }).packs.length, 1);
    });
  }
});

Deno.test("TOOLSCRIPT_TRUST=all leaves folders above unlooked at, and the own one not", async () => {
  await using it = await openProject({
    [MAIN]: SERVERS,
    [PACK]: "",
    "~/.onetool/onetool.yaml": "",
  });
  await Deno.chmod(above(it), 0o777);
  const config = await it.load();
  assert.deepEqual([config.servers.length, config.warnings], [1, []]);
  assert.equal(discoverPacks({ ...config, home: it.home, reserved: new Map() }).packs.length, 1);
  await Deno.chmod(join(it.project, ".onetool"), 0o777);
  assert.match(warningsOf(await it.load()), /everyone can write to its folder/);
});

Deno.test({
  name: "a user who puts another folder in place of a trusted project starts nothing",
  ignore,
  async fn() {
    await using it = await openProject({
      [MAIN]: "alias: { a: ot.version }\n",
      // A clone that the user has made, and not trusted.
      "../shared/clone/.onetool/onetool.yaml": SERVERS,
    });
    const shared = join(above(it), "shared");
    give(shared);
    await Deno.chmod(above(it), 0o755);
    await Deno.rename(it.project, join(shared, "project"));
    const move = 'mv "$0/project" "$0/old" && mv "$0/clone" "$0/project"';
    const args = ["-c", move, shared];
    const { success } = await new Deno.Command("sh", { args, uid: STRANGER, cwd: "/" }).output();
    assert.ok(success);
    const config = await it.load({ ...SHARED, cwd: join(shared, "project") });
    assert.deepEqual([config.servers, config.trust.kind], [[], "none"]);
    assert.match(warningsOf(config), /the folder ".*\/shared" above it belongs to another user/);
  },
});

Deno.test("toolscript trust says which files are not read", async () => {
  await using it = await openProject({ [MAIN]: SERVERS });
  await Deno.chmod(above(it), 0o777);
  const { stdout, stderr } = await cli(["trust"], { home: it.home, cwd: it.project, ...SHARED });
  assert.match(stderr, /Not read: everyone can write to the folder "[^"]*" above it/);
  assert.match(stdout + stderr, /Nothing of .* needs trust/);
});
