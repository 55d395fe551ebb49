/** A program has its text written to a closed file by the tools that look back: `ot`. */

import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { openGateway } from "../support/gateway.ts";

const TOPICS = {
  workflow: ".github/workflows/a.yml",
  memory: "CLAUDE.md",
  pack: ".onetool/tools/a/a_tools.ts",
  result: ".onetool/tmp/a",
  hard: "hard.yaml",
  open: "notes.yaml",
  own: "~/.onetool/notes.yaml",
  trust: "~/.onetool/trust.json",
};
const CLOSED = ["workflow", "memory", "pack", "result", "hard", "trust"];
const REPORTS = [
  ".github/a.html",
  ".onetool/tmp/a.html",
  ".vscode/a.html",
  "site/node_modules/a.html",
  ".unknown.html",
  "SITE/../.GitHub/a.html",
];

Deno.test("ot.notify and ot.stats write to no closed file", async () => {
  const topics = Object.entries(TOPICS).map(([pattern, file]) => ({ pattern, file }));
  await using gateway = await openGateway({
    notify: { topics },
    servers: { it: { command: "node", args: ["server.mjs"], cwd: "site", enabled: false } },
  });
  const { project } = gateway;
  for (const path of [...REPORTS, "SITE/a"]) {
    await Deno.mkdir(dirname(join(project, path)), { recursive: true });
  }
  await Deno.writeTextFile(join(project, "site/server.mjs"), "");
  await Deno.writeTextFile(join(project, "CLAUDE.md"), "");
  await Deno.link(join(project, "CLAUDE.md"), join(project, "hard.yaml"));
  async function ask(tool: string, args: object): Promise<string> {
    const response = await gateway.post(`/tools/ot__${tool}`, args);
    return JSON.stringify(await response.json());
  }
  for (const topic of ["open", "own"]) {
    assert.match(await ask("notify", { topic, message: "x" }), /OK: /);
  }
  for (const topic of CLOSED) {
    assert.match(await ask("notify", { topic, message: "x" }), /Error: Cannot write to/, topic);
  }
  for (const output of REPORTS) {
    assert.match(await ask("stats", { output }), /Error: Cannot write to/, output);
  }
  assert.match(await ask("stats", { output: "stats.html" }), /html_report/);
  assert.equal(await Deno.readTextFile(join(project, "CLAUDE.md")), "");
});

Deno.test("a report is written as file.write writes, and not where that may not", async (t) => {
  const command = 'ot.stats(output="index.html")';
  const rows: readonly (readonly [name: string, config: object, code: string])[] = [
    ["a rule", { security: { rules: [{ effect: "destroy", then: "blocked" }] } }, "blocked"],
    ["a list", { security: { blocked: ["file.write"] } }, "blocked"],
    ["a question", { security: { ask: ["file.write"] } }, "needs_confirmation"],
    ["a pack that reads only", { packs: { file: { write: false } } }, "unknown_tool"],
  ];
  for (const [name, config, code] of rows) {
    await t.step(name, async () => {
      await using gateway = await openGateway({ ...config });
      const path = join(gateway.project, "index.html");
      await Deno.writeTextFile(path, "mine");
      const reply = await (await gateway.post("/run", { command })).json();
      assert.ok([reply.error?.code, reply.error?.details.code].includes(code), reply.text);
      assert.equal(await Deno.readTextFile(path), "mine");
    });
  }
  await t.step("what was there is kept, and a plan lists the write", async () => {
    await using gateway = await openGateway({});
    await Deno.writeTextFile(join(gateway.project, "index.html"), "mine");
    const { plan } = await (await gateway.post("/run", { command, plan: true })).json();
    assert.deepEqual(plan.calls.map(({ tool }: { tool: string }) => tool), ["file.write"]);
    const reply = await (await gateway.post("/run", { command })).json();
    assert.ok(reply.ok, reply.text);
    const trash = join(gateway.project, ".onetool", "trash");
    const kept = await Array.fromAsync(walk(trash));
    assert.ok(kept.includes("mine"), kept.join());
  });
});

async function* walk(folder: string): AsyncGenerator<string> {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = join(folder, name);
    if (isDirectory) yield* walk(path);
    else yield await Deno.readTextFile(path);
  }
}
