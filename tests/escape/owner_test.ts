/** Configuration that another user may have written decides nothing, and nothing waits for it. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { openProject } from "../config/project.ts";
import {
  give,
  ignore,
  MAIN,
  mkfifo,
  type Prepare,
  type Row,
  SERVERS,
  STRANGER,
  warningsOf,
} from "./owner.ts";

const MCP = '{"mcpServers": {"evil": {"command": "/bin/evil"}}}';

const ROWS: readonly Row[] = [
  {
    name: "a file of another user",
    files: { [MAIN]: SERVERS },
    prepare: (_, path) => give(path(MAIN)),
    warns: /onetool\.yaml: Not read: it belongs to another user \(12345\)\. .*chown/,
    ignore,
  },
  {
    name: "a .mcp.json of another user in the folder where the command starts",
    files: { ".mcp.json": MCP },
    prepare: (_, path) => give(path(".mcp.json")),
    warns: /\.mcp\.json: Not read: it belongs to another user/,
    ignore,
  },
  {
    name: "a folder of another user",
    files: { [MAIN]: SERVERS },
    prepare: (_, path) => give(path(".onetool")),
    warns: /onetool\.yaml: Not read: its folder ".*\.onetool" belongs to another user/,
    ignore,
  },
  {
    name: "a link of another user to a file of the user's own",
    files: { "own.json": MCP },
    prepare: (_, path) => {
      Deno.symlinkSync(path("own.json"), path(".mcp.json"));
      give(path(".mcp.json"));
    },
    warns: /\.mcp\.json: Not read: the link ".*\.mcp\.json" belongs to another user/,
    ignore,
  },
  {
    name: "a folder that is a link of another user",
    files: { "other/onetool.yaml": SERVERS },
    prepare: (_, path) => {
      Deno.symlinkSync(path("other"), path(".onetool"));
      give(path(".onetool"));
    },
    warns: /onetool\.yaml: Not read: the link ".*\.onetool" belongs to another user/,
    ignore,
  },
  {
    name: "a link of the user's own to a file of another",
    files: { "theirs/x.json": MCP },
    prepare: (_, path) => {
      give(path("theirs/x.json"));
      Deno.symlinkSync(path("theirs/x.json"), path(".mcp.json"));
    },
    warns: /\.mcp\.json: Not read: it belongs to another user/,
    ignore,
  },
  {
    name: "a file that everyone can write",
    files: { [MAIN]: SERVERS },
    prepare: (_, path) => Deno.chmodSync(path(MAIN), 0o646),
    warns:
      /onetool\.yaml: Not read: everyone can write to it\. Close it: chmod go-w .*onetool\.yaml/,
  },
  {
    name: "a file that another group can write",
    files: { [MAIN]: SERVERS },
    prepare: (_, path) => {
      Deno.chownSync(path(MAIN), null, STRANGER);
      Deno.chmodSync(path(MAIN), 0o664);
    },
    warns: /onetool\.yaml: Not read: the group 12345 can write to it/,
    ignore,
  },
  {
    name: "a folder that everyone can write",
    files: { ".mcp.json": MCP },
    prepare: ({ project }) => Deno.chmodSync(project, 0o777),
    warns:
      /Not read: everyone can write to its folder ".*project"\. Close it: chmod go-w \S*project$/,
  },
  {
    name: "a link into a folder that everyone can write",
    files: { "open/x.json": MCP },
    prepare: (_, path) => {
      Deno.chmodSync(path("open"), 0o777);
      Deno.symlinkSync(path("open/x.json"), path(".mcp.json"));
    },
    warns: /everyone can write to its folder ".*open"/,
  },
  {
    name: "a link to a device without an end",
    files: {},
    prepare: (_, path) => Deno.symlinkSync("/dev/zero", path(".mcp.json")),
    warns: /\.mcp\.json: Not read: (everyone can write to it|it is a pipe, a socket or a device)/,
  },
  {
    name: "a pipe without a writer",
    files: { "x/y": "" },
    prepare: (_, path) => {
      Deno.mkdirSync(path(".onetool"));
      mkfifo(path(MAIN));
    },
    warns: /onetool\.yaml: Not read: it is a pipe, a socket or a device, not a file/,
  },
  {
    name: "a socket",
    files: {},
    prepare: (it, path) => {
      Deno.symlinkSync(join(it.home, "s"), path(".mcp.json"));
      return Deno.listen({ transport: "unix", path: join(it.home, "s") });
    },
    warns: /\.mcp\.json: Not read: it is a pipe, a socket or a device/,
  },
  {
    name: "a file of more than 1 MB",
    files: { [MAIN]: `${SERVERS}#${"x".repeat(1024 * 1024)}` },
    prepare: () => {},
    warns: /onetool\.yaml: Not read: it has more than 1 MB/,
  },
];

Deno.test("loadConfig() refuses files that another user can write, with a warning", async (t) => {
  for (const { name, files, prepare, warns, ignore = false } of ROWS) {
    await t.step({
      name,
      ignore,
      async fn() {
        await using it = await openProject(files);
        using _held = prepare(it, (file) => join(it.project, file)) ?? undefined;
        const config = await it.load();
        assert.deepEqual(config.servers, []);
        assert.equal(config.warnings.length, 1);
        assert.match(warningsOf(config), warns);
      },
    });
  }
});

Deno.test("loadConfig() holds includes, secrets and named files to the same", async (t) => {
  await t.step("an include", async () => {
    const files = {
      [MAIN]: "include: [more.yaml]\nalias: { a: ot.version }",
      ".onetool/more.yaml": SERVERS,
    };
    await using it = await openProject(files);
    await Deno.chmod(join(it.project, ".onetool/more.yaml"), 0o666);
    const config = await it.load();
    assert.deepEqual([config.servers, config.alias], [[], { a: "ot.version" }]);
    assert.match(warningsOf(config), /more\.yaml: Not read: everyone can write to it/);
  });
  await t.step("an include that is a pipe", async () => {
    await using it = await openProject({ [MAIN]: "include: [more.yaml]" });
    mkfifo(join(it.project, ".onetool/more.yaml"));
    assert.match(warningsOf(await it.load()), /more\.yaml: Not read: it is a pipe/);
  });
  await t.step("secrets.yaml", async () => {
    const server = `servers: { s: { command: x, env: { T: "\${secret:T:-none}" } } }`;
    await using it = await openProject({ [MAIN]: server, ".onetool/secrets.yaml": "T: planted" });
    await Deno.chmod(join(it.project, ".onetool/secrets.yaml"), 0o606);
    const findings = await it.load().then(warningsOf, String);
    assert.match(findings, /secrets\.yaml: Not read: everyone can write to it/);
  });
  await t.step("secrets.yaml that is a link to a device", async () => {
    await using it = await openProject({ [MAIN]: "alias: {}" });
    await Deno.symlink("/dev/zero", join(it.project, ".onetool/secrets.yaml"));
    assert.match(warningsOf(await it.load()), /secrets\.yaml: Not read/);
  });
  await t.step("the home folder's, and names the settings that do not apply", async () => {
    const blocks = "security: { blocked: [mail], ask: [git] }\n";
    await using it = await openProject({
      "~/.onetool/onetool.yaml": `${SERVERS}${blocks}`,
      "~/.onetool/secrets.yaml": "T: planted",
    });
    await Deno.chmod(join(it.home, ".onetool"), 0o777);
    const config = await it.load();
    assert.deepEqual([config.servers, config.security.blocked], [[], []]);
    const [secrets, lists] = warningsOf(config).split("\n");
    assert.match(secrets ?? "", /everyone can write to its folder ".*home\/\.onetool"\./);
    assert.match(
      lists ?? "",
      /everyone can write to its folder ".*home\/\.onetool": nothing in it applies, its "blocked" and "ask" lists included\. Close it/,
    );
  });
  for (const by of ["--config", "TOOLSCRIPT_CONFIG"]) {
    await t.step(by, async () => {
      await using it = await openProject({ "named.yaml": SERVERS });
      const named = join(it.project, "named.yaml");
      await Deno.chmod(named, 0o666);
      const config = await it.load(
        by === "--config" ? { explicit: named } : { env: { TOOLSCRIPT_CONFIG: named } },
      );
      assert.deepEqual(config.servers, []);
      assert.match(warningsOf(config), /named\.yaml: Not read: everyone can write to it: nothing/);
    });
  }
});

Deno.test("loadConfig() reads files that only the user can change", async (t) => {
  const rows: Record<string, Prepare> = {
    "in a sticky folder": ({ project }) => Deno.chmodSync(project, 0o1777),
    "with a right for the user's own group": ({ project }, path) => {
      Deno.chownSync(path(".mcp.json"), null, Deno.gid());
      Deno.chmodSync(path(".mcp.json"), 0o664);
      Deno.chmodSync(project, 0o775);
    },
    "through a link of the user's own": (it, path) => {
      Deno.renameSync(path(".mcp.json"), join(it.home, "mcp.json"));
      Deno.symlinkSync("../home/mcp.json", path(".mcp.json"));
    },
  };
  for (const [name, prepare] of Object.entries(rows)) {
    await t.step(name, async () => {
      await using it = await openProject({ ".mcp.json": MCP });
      prepare(it, (file) => join(it.project, file));
      const { servers, warnings } = await it.load();
      assert.deepEqual([servers.map(({ name }) => name), warnings], [["evil"], []]);
    });
  }
});
