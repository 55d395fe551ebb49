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
  ...[".github/a.html", ".onetool/tmp/a.html", ".vscode/a.html", "site/node_modules/a.html"],
  ...[".unknown.html", "SITE/../.GitHub/a.html"],
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
