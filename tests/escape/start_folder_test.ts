/** A program leaves settings of package managers where a server's package is fetched from. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { openGateway, type TestGateway } from "../support/gateway.ts";

/** Stands for a package manager: writes down where it is started and with what. */
const RUNNER = `#!/bin/sh
{ pwd; for word in "$@"; do echo "$word"; done; } > "$OUT.new"
mv "$OUT.new" "$OUT"
`;

interface Start {
  readonly cwd: string;
  readonly args: readonly string[];
}

async function startOf(
  name: string,
  { args, cwd }: { readonly args: readonly string[]; readonly cwd?: string },
  check: (start: Start, gateway: TestGateway) => Promise<void>,
): Promise<void> {
  const folder = await Deno.realPath(await Deno.makeTempDir());
  try {
    const command = join(folder, name);
    await Deno.writeTextFile(command, RUNNER, { mode: 0o755 });
    const [home, project] = [join(folder, "home"), join(folder, "project")];
    await Deno.mkdir(join(project, "data/in"), { recursive: true });
    await Deno.mkdir(home);
    await Deno.writeTextFile(join(project, "notes.db"), "");
    const env = { OUT: join(folder, "out") };
    await using gateway = await openGateway(
      { servers: { it: { command, args: [...args], env, ...cwd === undefined ? {} : { cwd } } } },
      { home, project },
    );
    const text = await untilThere(env.OUT);
    const [start = "", ...words] = text.trimEnd().split("\n");
    await check({ cwd: start, args: words }, gateway);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function untilThere(path: string): Promise<string> {
  while (true) {
    const text = await Deno.readTextFile(path).catch(() => undefined);
    if (text !== undefined) return text;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

const CASES: readonly (readonly [string, readonly string[]])[] = [
  ["npx", ["-y", "pkg"]],
  ["uvx", ["pkg"]],
  ["bunx", ["pkg"]],
  ["pnpx", ["pkg"]],
  ["npm", ["--loglevel", "error", "exec", "pkg"]],
  ["npm.cmd", ["x", "pkg"]],
  ["pnpm", ["--silent", "dlx", "pkg"]],
  ["yarn", ["dlx", "pkg"]],
  ["bun", ["x", "pkg"]],
  ["uv", ["--offline", "tool", "run", "pkg"]],
  ["pipx", ["run", "pkg"]],
  ["corepack", ["pnpm", "dlx", "pkg"]],
];

Deno.test("a package that is fetched starts in a folder of Toolscript's own", async (t) => {
  for (const [name, args] of CASES) {
    await t.step(
      [name, ...args].join(" "),
      () =>
        startOf(name, { args }, async (start, { project }) => {
          assert.ok(!`${start.cwd}/`.startsWith(`${project}/`), start.cwd);
          assert.equal(((await Deno.stat(start.cwd)).mode ?? 0) & 0o777, 0o700);
          assert.deepEqual(start.args, args);
        }),
    );
  }
});

Deno.test("paths of the project stay paths of the project", () =>
  startOf("npx", {
    args: [
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
    ],
  }, async ({ args }, { project }) => {
    assert.deepEqual(args, [
      ...["-y", "data/in", project, `${project}/new`, join(project, "..")],
      ...[`${project}/data/in`, "no/such", `${project}/notes.db`, `--at=${project}/data`, "run"],
    ]);
    return await Promise.resolve();
  }));

Deno.test("a server with a folder of its own starts there, and there settings are closed", () =>
  startOf("npx", { args: ["pkg", "."], cwd: "data" }, async ({ cwd, args }, gateway) => {
    assert.equal(cwd, join(gateway.project, "data"));
    assert.deepEqual(args, ["pkg", "."]);
    for (
      const path of ["data/.npmrc", "data/package.json", "package.json", "data/node_modules/a"]
    ) {
      const answer = await gateway.post("/tools/file__write", { path, text: "x" });
      const { error } = await answer.json();
      assert.equal(error?.code, "blocked", path);
    }
  }));

Deno.test("programs that fetch no package start in the project", async (t) => {
  for (const args of [["run", "serve", "."], ["run", "exec"], ["start", "--", "x"]]) {
    await t.step(args.join(" "), () =>
      startOf("npm", { args }, (start, { project }) => {
        assert.deepEqual(start, { cwd: project, args });
        return Promise.resolve();
      }));
  }
});
