/** A program spells a path so that a rule about folders does not see where it leads. */

import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { openGateway } from "../support/gateway.ts";

const RULES = [
  { tool: "file.delete", when: "!args.path.startsWith('scratch/')", then: "blocked" },
  { tool: "file.move", when: "!args.to.startsWith('scratch/')", then: "ask" },
  { tool: "file.read", when: "args.path.startsWith('src/')", then: "blocked" },
  { tool: "file.list", when: "args.path == 'src'", then: "blocked" },
  { tool: "data.parse", when: "args.path.startsWith('src/')", then: "blocked" },
  { tool: "file.write", when: "args.path.contains('..')", then: "blocked" },
  { tool: "file.tree", when: "args.path.startsWith('../shared/secret')", then: "blocked" },
  { tool: "git.*", when: "args.file.startsWith('src/')", then: "blocked" },
  {
    tool: "file.copy",
    when: "args.from.startsWith('src/') && args.to.startsWith('pub/')",
    then: "blocked",
  },
  {
    tool: "file.copy",
    when: "args.from.startsWith('../') && args.to.startsWith('/')",
    then: "blocked",
  },
  { tool: "db.tables", when: "args.connection.startsWith('sqlite:src/')", then: "blocked" },
  { tool: "db.query", when: "!args.connection.startsWith('sqlite:scratch/')", then: "blocked" },
];
const FILES = ["src/main.json", "scratch/a.txt", "scratch/b.txt", "n.md"];
/** Code of a call whose arguments do not fit. */
const TOO_LONG = "invalid_arguments";
const DATABASES = ["src/p.db", "scratch/q.db"];

Deno.test("rules see a path as it is written, as it is, and where it leads", async (t) => {
  await using gateway = await openGateway({ security: { rules: RULES } });
  const { project } = gateway;
  for (const file of FILES) {
    Deno.mkdirSync(dirname(join(project, file)), { recursive: true });
    Deno.writeTextFileSync(join(project, file), "{}\n");
  }
  for (const file of DATABASES) Deno.writeTextFileSync(join(project, file), "");
  Deno.symlinkSync("../src", join(project, "scratch/link"));
  Deno.symlinkSync("scratch", join(project, "pub"));
  Deno.symlinkSync("../scratch/b.txt", join(project, "src/entry"));
  const codeOf = async (tool: string, args: Record<string, string>) => {
    const script = `import { tools } from "toolscript";
const names = ${JSON.stringify(tool.split("."))};
export default await (tools as any)[names[0]][names[1]](${JSON.stringify(args)})
  .then(() => "ok", (error: { code: string }) => error.code);`;
    const response = await gateway.post("/run", { script });
    const reply = await response.json();
    return reply.error?.code ?? reply.value;
  };
  const rows: readonly (readonly [string, Record<string, string>, string])[] = [
    ["file.delete", { path: "src/main.json" }, "blocked"],
    ["file.delete", { path: "scratch/../src/main.json" }, "blocked"],
    ["file.delete", { path: "scratch/./../src//main.json" }, "blocked"],
    ["file.delete", { path: "scratch/link/main.json" }, "blocked"],
    ["file.delete", { path: "scratch/link/entry" }, "blocked"],
    ["file.move", { from: "n.md", to: "scratch/../src/n.md" }, "needs_confirmation"],
    ["file.move", { from: "n.md", to: "scratch/link/n.md" }, "needs_confirmation"],
    ["file.read", { path: "./src/main.json" }, "blocked"],
    ["file.read", { path: join(project, "src/main.json") }, "blocked"],
    ["file.read", { path: "scratch/link/main.json" }, "blocked"],
    ["file.list", { path: "scratch/../src/" }, "blocked"],
    ["data.parse", { path: "scratch/link/../../src/main.json" }, "blocked"],
    ["data.parse", { path: "scratch/link/main.json" }, "blocked"],
    ["file.write", { path: "scratch/../w.txt", text: "x" }, "blocked"],
    ["file.read", { path: `${"a/".repeat(300)}b` }, "tool_error"],
    ["file.read", { path: "n.md\0" }, "tool_error"],
    ["file.read", { path: `${"./".repeat(300)}src/main.json` }, "blocked"],
    ["file.read", { path: `src${"/".repeat(5_000)}main.json` }, "blocked"],
    ["file.delete", { path: `scratch/${"./".repeat(300)}../src/main.json` }, "blocked"],
    ["file.delete", { path: `scratch/${"a/../".repeat(2_000)}../src/main.json` }, "blocked"],
    ["file.delete", { path: `scratch/${"a/../".repeat(2_000)}link/main.json` }, "blocked"],
    ["file.delete", { path: `scratch/${"a/../".repeat(4_000)}../src/main.json` }, TOO_LONG],
    ["file.delete", { path: `scratch/${"./".repeat(9_000)}link/main.json` }, TOO_LONG],
    ["data.parse", { path: `scratch/${"/".repeat(17_000)}../src/main.json` }, TOO_LONG],
    ["git.file", { file: "main.json", repo: `${"./".repeat(9_000)}src` }, TOO_LONG],
    ["file.tree", { path: "../shared/secret" }, "blocked"],
    ["file.tree", { path: "../shared/./secret" }, "blocked"],
    ["file.tree", { path: join(project, "../shared/secret") }, "blocked"],
    ["file.tree", { path: "scratch/../../shared/secret/a" }, "blocked"],
    ["file.copy", { from: "scratch/link/main.json", to: "pub/m.json" }, "blocked"],
    ["file.copy", { from: "./../shared/a", to: join(project, "../data/a") }, "blocked"],
    ["file.copy", { from: join(project, "../shared/a"), to: "/srv/a" }, "blocked"],
    ["file.copy", { from: "src/main.json", to: "scratch/m.json" }, "ok"],
    ["git.file", { file: "./src/main.json" }, "blocked"],
    ["git.log", { file: "scratch/../src/main.json" }, "blocked"],
    ["git.blame", { file: "src//main.json", repo: "scratch/.." }, "blocked"],
    ["git.log", { file: join(project, "src/main.json") }, "blocked"],
    ["db.query", { sql: "SELECT 1", connection: "sqlite:scratch/../src/p.db" }, "blocked"],
    ["db.query", { sql: "SELECT 1", connection: "sqlite:scratch/link/p.db" }, "blocked"],
    ["db.query", { sql: "SELECT 1", connection: "sqlite:scratch/q.db" }, "ok"],
    ["db.tables", { connection: "sqlite:./src/p.db" }, "blocked"],
    ["db.tables", { connection: "sqlite:x\n/../src/p.db" }, "blocked"],
    ["db.tables", { connection: "sqlite:\n/../src/p.db" }, "blocked"],
    ["db.tables", { connection: "sqlite:\r/../src/p.db" }, "blocked"],
    ["db.tables", { connection: "sqlite:x\u2028/../scratch/\u2029/../link/p.db" }, "blocked"],
    ["db.tables", { connection: `sqlite://${project}/x\n/../src/p.db` }, "blocked"],
    ["db.tables", { connection: `sqlite:${project}/src/p.db` }, "blocked"],
    ["db.tables", { connection: "sqlite:x\n/../scratch/q.db" }, "ok"],
    ["file.read", { path: "n.md" }, "ok"],
    ["file.delete", { path: "scratch/a.txt" }, "ok"],
    ["file.move", { from: "scratch/b.txt", to: "scratch/c.txt" }, "ok"],
  ];
  for (const [tool, args, expected] of rows) {
    await t.step(`${tool} ${JSON.stringify(args).slice(0, 80)}`, async () => {
      assert.equal(await codeOf(tool, args), expected);
    });
  }
  await t.step("what the rules kept is there", () => {
    for (const file of ["src/main.json", "n.md"]) Deno.statSync(join(project, file));
  });
});
