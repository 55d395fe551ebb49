/** Relative entries of `PATH` lead into whatever folder a program starts in. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { dump as stringify } from "js-yaml";
import { cli } from "../support/cli.ts";

interface Place {
  readonly home: string;
  readonly project: string;
  /** Names of the programs that ran. */
  ran(): Promise<readonly string[]>;
}

/** A project and a folder of programs that both have one called `indexer`. */
async function withPrograms(work: (place: Place) => Promise<void>): Promise<void> {
  const root = await Deno.realPath(await Deno.makeTempDir());
  const [home, project, bin] = [join(root, "home"), join(root, "project"), join(root, "bin")];
  const marks = join(root, "marks");
  const folders = { "the project's": [project, join(project, "bin")], "the user's": [bin] };
  for (const folder of [home, project, join(project, "bin"), bin, marks]) await Deno.mkdir(folder);
  for (const [name, places] of Object.entries(folders)) {
    for (const place of places) {
      const text = `#!/bin/sh\ntouch "${join(marks, name)}"\n`;
      await Deno.writeTextFile(join(place, "indexer"), text, { mode: 0o755 });
    }
  }
  const ran = () => Array.fromAsync(Deno.readDir(marks), ({ name }) => name);
  try {
    await work({ home, project, ran });
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

async function configure(folder: string): Promise<void> {
  await Deno.mkdir(join(folder, ".onetool"));
  const text = stringify({ servers: { it: { command: "indexer" } } });
  await Deno.writeTextFile(join(folder, ".onetool/onetool.yaml"), text);
}

const RELATIVE = ["bin", "./bin", ".", "", "sub/../bin"];

Deno.test("a relative entry of PATH chooses no program of the project for a home server", async (t) => {
  for (const entry of RELATIVE) {
    await t.step(`"${entry}"`, () =>
      withPrograms(async ({ home, project, ran }) => {
        await configure(home);
        const PATH = `${entry}:${join(home, "../bin")}:/usr/bin:/bin`;
        await cli(["list", "it"], { home, cwd: project, env: { PATH, TOOLSCRIPT_TRUST: "" } });
        assert.deepEqual(await ran(), ["the user's"]);
      }));
  }
});

Deno.test("a relative entry of PATH counts for a server of the project", () =>
  withPrograms(async ({ home, project, ran }) => {
    await configure(project);
    const PATH = `bin:${join(home, "../bin")}:/usr/bin:/bin`;
    await cli(["list", "it"], { home, cwd: project, env: { PATH } });
    assert.deepEqual(await ran(), ["the project's"]);
  }));
