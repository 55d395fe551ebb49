/** A program leaves settings of package managers where a server's package is fetched from. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { eachStart, start } from "../support/starts.ts";

const CASES: readonly (readonly [string, readonly string[]])[] = [
  ["npx", ["-y", "pkg"]],
  ["uvx", ["pkg"]],
  ["bunx", ["pkg"]],
  ["pnpx", ["pkg"]],
  ["dnx", ["pkg"]],
  ["npm", ["--loglevel", "error", "exec", "pkg"]],
  ["npm.cmd", ["x", "pkg"]],
  ["pnpm", ["--silent", "dlx", "pkg"]],
  ["yarn", ["dlx", "pkg"]],
  ["bun", ["x", "pkg"]],
  ["uv", ["--offline", "tool", "run", "pkg"]],
  ["pipx", ["run", "pkg"]],
  ["corepack", ["pnpm", "dlx", "pkg"]],
  ["mise", ["x", "--", "uvx", "pkg"]],
];

Deno.test("a package that is fetched starts in a folder of Toolscript's own", async (t) => {
  await eachStart(t, CASES, {
    async check({ cwd, args }, project, [, words]) {
      assert.ok(!`${cwd}/`.startsWith(`${project}/`), cwd);
      assert.equal(((await Deno.stat(cwd)).mode ?? 0) & 0o777, 0o700);
      assert.deepEqual(args, words);
    },
  });
});

Deno.test("paths of the project stay paths of the project", async () => {
  const words = [
    "-y",
    "data/in",
    ".",
    "./new",
    "..",
    "data/in",
    "no/such",
    "notes.db",
    "--at=./data",
    "run",
  ];
  await using started = await start([{ name: "npx", args: words }]);
  const { project } = started;
  assert.deepEqual(started.starts[0]?.args, [
    "-y",
    "data/in",
    project,
    `${project}/new`,
    join(project, ".."),
    `${project}/data/in`,
    "no/such",
    `${project}/notes.db`,
    `--at=${project}/data`,
    "run",
  ]);
});

Deno.test("a server with a folder of its own starts there, and there settings are closed", async () => {
  await using started = await start([{ name: "npx", args: ["pkg", "."], cwd: "data" }]);
  const { gateway, project } = started;
  assert.deepEqual(started.starts[0], { cwd: join(project, "data"), args: ["pkg", "."] });
  for (const path of ["data/.npmrc", "data/package.json", "package.json", "data/node_modules/a"]) {
    const answer = await gateway.post("/tools/file__write", { path, text: "x" });
    const { error } = await answer.json();
    assert.equal(error?.code, "blocked", path);
  }
});

Deno.test("no file of the project stands in for a package", async (t) => {
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ["npx", ["--loglevel", "error", "a/b", "a/b"]],
    ["npx", ["--package", "pkg", "cli.js"]],
    ["npx", ["-y", "--registry", "https://example.com", "a/b"]],
  ];
  await eachStart(t, cases, {
    files: ["a/b", "cli.js"],
    check(start, project, [, args]) {
      const data = args.filter((word) => word === "a/b").length > 1;
      const expected = data ? [...args.slice(0, -1), join(project, "a/b")] : args;
      assert.deepEqual(start.args, expected);
    },
  });
});

Deno.test("programs that fetch no package start in the project", async (t) => {
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ["npm", ["run", "serve", "."]],
    ["npm", ["run", "exec"]],
    ["npm", ["start", "--", "x"]],
  ];
  await eachStart(t, cases, {
    check: (start, project, [, args]) => assert.deepEqual(start, { cwd: project, args }),
  });
});
