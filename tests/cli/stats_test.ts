/** `toolscript stats`, read from the project's file without a gateway. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { createStatsStore } from "#runtime/stats";
import { type Caught, caught, type CaughtOptions } from "./io.ts";
import { statsFolder } from "../support/stats.ts";

interface Project extends AsyncDisposable {
  readonly folder: string;
  /** Folder of the statistics. */
  readonly kept: string;
  stats(args?: readonly string[], options?: Partial<CaughtOptions>): Promise<Caught>;
}

async function openProject(config = ""): Promise<Project> {
  const home = await Deno.realPath(await Deno.makeTempDir());
  const folder = join(home, "site");
  await Deno.mkdir(join(folder, ".onetool"), { recursive: true });
  await Deno.writeTextFile(join(folder, ".onetool", "onetool.yaml"), config);
  return {
    folder,
    kept: statsFolder({ home, project: folder }),
    stats: (args, options) => caught(["stats", ...args ?? []], { cwd: folder, home, ...options }),
    [Symbol.asyncDispose]: () => Deno.remove(home, { recursive: true }),
  };
}

function keep({ kept: folder }: Project, tools: readonly string[]): void {
  const options = { folder, now: Date.now, log: () => {} };
  const store = createStatsStore(options);
  const calls = tools.map((tool) => ({
    at: Date.now(),
    ms: 12,
    run: null,
    client: "cli",
    pack: "files",
    tool,
    code: tool === "broken" ? "timeout" : null,
    bytesIn: 10,
    bytesOut: 2_000,
  }));
  store.write({ calls, runs: [], toolsets: [] });
  store.close();
}

Deno.test("stats shows figures and a table", async () => {
  await using project = await openProject();
  keep(project, ["read", "read", "\x1b[2Jevil\u202e", "broken"]);
  const { code, stdout, stderr } = await project.stats(["--period", "day"], { terminal: true });
  assert.equal(code, 0, stderr);
  assert.match(stdout, /Last 24 hours/);
  assert.match(stdout, /4 calls \(75 % ok\) in 0 runs/);
  assert.match(stdout, /files\.read +2 +100 % +12 ms +12 ms +4 kB/);
  assert.match(stdout, /Errors: timeout 1/);
  assert.ok(!stdout.includes("\x1b[2J") && !stdout.includes("\u202e"));
  for (const line of stdout.split("\n")) {
    // deno-lint-ignore no-control-regex
    assert.ok(line.replaceAll(/\x1b\[\d+m/g, "").length <= 80, line);
  }
  const plain = await project.stats(["--no-color"], { terminal: true });
  assert.ok(!plain.stdout.includes("\x1b"));
});

Deno.test("stats --json is the value of ot.stats", async () => {
  await using project = await openProject(
    "servers: { files: { command: none } }\nalias: { r: files.read }",
  );
  keep(project, ["read", "list"]);
  for (const tool of ["files.read", "r"]) {
    const { stdout } = await project.stats(["--json", "--tool", tool]);
    const value = JSON.parse(stdout);
    assert.equal(value.total_calls, 1);
    assert.equal(value.tool, "files.read");
  }
});

Deno.test("stats --output writes the report relative to the working folder", async () => {
  await using project = await openProject();
  keep(project, ["read"]);
  const { code, stderr } = await project.stats(["--output", "report.html"]);
  assert.equal(code, 0, stderr);
  assert.match(await Deno.readTextFile(join(project.folder, "report.html")), /files\.read/);
  const refused = await project.stats(["--output", "none/report.html"]);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /Error: Cannot write to '.*': there is no such folder/);
});

Deno.test("stats of a project without data creates no file", async () => {
  await using project = await openProject();
  const { code, stdout } = await project.stats();
  assert.equal(code, 0);
  assert.match(stdout, /No run and no call was recorded/);
  await assert.rejects(Deno.stat(project.kept), Deno.errors.NotFound);
});

Deno.test("stats reports errors", async () => {
  await using project = await openProject("stats: { enabled: false }");
  const period = await project.stats(["--period", "year"]);
  assert.equal(period.code, 2);
  assert.match(period.stderr, /Invalid period 'year'\. Valid: day, week, month, all\./);
  const disabled = await project.stats();
  assert.equal(disabled.code, 1);
  assert.match(disabled.stderr, /Statistics are disabled/);
});
