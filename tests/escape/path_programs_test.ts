/** Programs of the open project in `PATH`, as `npx` puts them there. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { launchPython } from "../../packs/worker/process/launch.ts";
import { cli } from "../support/cli.ts";
import { openProject } from "../config/project.ts";

const SETTINGS = {
  "a program of commands": {
    commands: { tok: ["mytok", "a"] },
    servers: { token: { url: "http://127.0.0.1:1/", headers: { T: "${cmd:tok}" } } },
  },
  servers: {
    servers: {
      named: { command: "mysrv" },
      fetched: { command: "pkgx", args: ["some-server"] },
      own: { command: "myown", env: { PATH: "${PATH}" } },
    },
  },
};
const PROGRAMS = ["mytok", "mysrv", "pkgx", "myown"];

interface Start {
  readonly settings: unknown;
  /** File that holds the settings. */
  readonly place: string;
  /** Folders in PATH, of the project's programs and a link to it. */
  readonly entries: (bin: string, link: string) => readonly string[];
}

/** Programs of the project that `list` started. */
async function startedBy({ settings, place, entries }: Start): Promise<readonly string[]> {
  await using it = await openProject({ [place]: JSON.stringify(settings) });
  const bin = join(it.project, "node_modules/.bin");
  const [link, out] = [join(it.home, "link"), join(it.home, "out")];
  await Deno.mkdir(bin, { recursive: true });
  await Deno.mkdir(out);
  await Deno.symlink(it.project, link);
  for (const name of PROGRAMS) {
    const text = `#!/bin/sh\n: > ${join(out, name)}\necho value\n`;
    await Deno.writeTextFile(join(bin, name), text, { mode: 0o755 });
  }
  const env = { PATH: entries(bin, join(link, "node_modules/.bin")).join(":") };
  await cli(["list"], { home: it.home, cwd: it.project, env });
  const names = (await Array.fromAsync(Deno.readDir(out))).map(({ name }) => name);
  return names.sort();
}

Deno.test("the home folder's settings start no program of the project in PATH", async (t) => {
  const rows: Record<string, Start["entries"]> = {
    "by its name": (bin) => [bin, "/none"],
    "by a link": (_bin, link) => [link, "/none"],
    "where nothing else is left": (bin) => [bin],
  };
  for (const [kind, settings] of Object.entries(SETTINGS)) {
    for (const [name, entries] of Object.entries(rows)) {
      await t.step(`${kind}, ${name}`, async () => {
        const place = "~/.onetool/onetool.yaml";
        assert.deepEqual(await startedBy({ settings, place, entries }), []);
      });
    }
  }
});

Deno.test("a trusted project starts its own programs in PATH", async () => {
  const [place, entries] = [".onetool/onetool.yaml", (bin: string) => [bin, "/none"]];
  const names: string[] = [];
  for (const settings of Object.values(SETTINGS)) {
    names.push(...await startedBy({ settings, place, entries }));
  }
  assert.deepEqual(names.sort(), [...PROGRAMS].sort());
});

Deno.test("a Python pack of the home folder finds no interpreter of the project in PATH", async () => {
  await using it = await openProject({});
  const { home, project } = it;
  const bin = join(project, "node_modules/.bin");
  const environment = { PATH: `${bin}:/bin` };
  const pathOf = (scope: "home" | "project") => {
    const pack = { name: "a", language: "python", file: "/a/a.py", folder: "/a", scope } as const;
    const deps = { deno: "deno", project, home, cacheDir: join(home, "cache"), environment };
    return launchPython(pack, undefined, { uv: "/bin/uv", deps }).env.PATH;
  };
  assert.equal(pathOf("home"), "/bin");
  assert.equal(pathOf("project"), environment.PATH);
});
