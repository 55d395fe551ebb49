/** Programs that Toolscript itself starts by name, where the name is that of a version manager: it runs
 * what a file of the folder names in which it starts. */

import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { findProgram } from "#base";
import { launchDeno } from "../../packs/worker/process/launch.ts";
import { callGit } from "../../packs/builtin/git/process.ts";
import { cli } from "../support/cli.ts";

const OPEN_BROWSER = import.meta.resolve("../../cli/ui/open_browser.ts");
const CONFIG = fileURLToPath(new URL("../../deno.json", import.meta.url));
/** As the programs of asdf and mise. */
const SHIM = `#!/bin/sh
at=$PWD
while [ ! -f "$at/.tool-versions" ] && [ "$at" != / ]; do at=$(dirname "$at"); done
[ -f "$at/.tool-versions" ] && exec "$at/evil/tool"
echo "own 1.0"
`;

interface Place extends AsyncDisposable {
  readonly home: string;
  readonly project: string;
  readonly shims: string;
  readonly mark: string;
}

async function openPlace(): Promise<Place> {
  const folder = await Deno.realPath(await Deno.makeTempDir({ prefix: "toolscript-shims-" }));
  const place = { home: join(folder, "home"), project: join(folder, "project") };
  const [shims, mark] = [join(place.home, "shims"), join(folder, "mark")];
  const programs: Record<string, string> = {
    [join(shims, "uv")]: SHIM,
    [join(shims, "git")]: SHIM,
    [join(place.project, "evil/tool")]: `#!/bin/sh\necho ran >> "${mark}"\n`,
    [join(place.project, ".tool-versions")]: "tool path:evil\n",
  };
  for (const [path, text] of Object.entries(programs)) {
    await Deno.mkdir(dirname(path), { recursive: true });
    await Deno.writeTextFile(path, text, { mode: 0o755 });
  }
  return {
    ...place,
    shims,
    mark,
    [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }),
  };
}

Deno.test("doctor runs no uv that the project's versions name", async () => {
  await using place = await openPlace();
  const { home, project, shims, mark } = place;
  const env = { PATH: `${shims}:/usr/bin:/bin` };
  const { stdout, stderr } = await cli(["doctor"], { home, cwd: project, env });
  if (findProgram("uv") === undefined) assert.match(stdout, /own 1\.0/);
  await assert.rejects(Deno.stat(mark), stdout + stderr);
});

Deno.test("no git runs that the project's versions name", async () => {
  await using place = await openPlace();
  const { home, project: cwd, shims, mark } = place;
  const program = { path: join(shims, "git"), home, timeoutMs: 5_000, maxOutputBytes: 1_000 };
  const { signal } = new AbortController();
  const answer = await callGit(program, { cwd, args: ["version"], signal });
  assert.equal(answer.text, "own 1.0\n");
  await assert.rejects(Deno.stat(mark));
});

Deno.test("no browser starts in the project", async () => {
  await using place = await openPlace();
  const { home, project, shims, mark } = place;
  const own = join(shims, "browser");
  await Deno.writeTextFile(own, SHIM, { mode: 0o755 });
  const env = { PATH: `${shims}:/usr/bin:/bin`, BROWSER: own };
  const code = `const { openBrowser } = await import(Deno.args[0]);
    console.log(await openBrowser("http://127.0.0.1:1/", JSON.parse(Deno.args[1])));`;
  const options = JSON.stringify({ env, os: "linux", project, home });
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["eval", `--config=${CONFIG}`, code, OPEN_BROWSER, options],
    cwd: project,
  }).output();
  const decoder = new TextDecoder();
  assert.equal(decoder.decode(stdout), "true\n", decoder.decode(stderr));
  await assert.rejects(Deno.stat(mark));
});

Deno.test("a pack of the home folder finds no program that the project's versions name", async () => {
  await using place = await openPlace();
  const { home, project, shims } = place;
  const pack = { name: "a", language: "typescript", file: "/a/a.ts", folder: "/a" } as const;
  const pathOf = (scope: "home" | "project", project: string) => {
    const environment = { HOME: home, PATH: `${shims}:/usr/bin` };
    const deps = { deno: "deno", project, home, cacheDir: join(home, "cache"), environment };
    const closed = { read: [], write: [] };
    return launchDeno({ ...pack, scope }, undefined, { granted: {}, closed, deps }).env.PATH;
  };
  assert.equal(pathOf("home", project), "/usr/bin");
  assert.equal(pathOf("project", project), `${shims}:/usr/bin`);
  await Deno.remove(join(project, ".tool-versions"));
  assert.equal(pathOf("home", project), `${shims}:/usr/bin`);
});
