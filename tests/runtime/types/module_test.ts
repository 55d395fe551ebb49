/** Programs that import the generated module, type-checked and run in processes of their own. */

import assert from "node:assert/strict";
import type { ModuleGenerator } from "#runtime";
import { readServer } from "../../support/corpus.ts";
import { generatorOf, packOf } from "../../support/generated.ts";
import { openHost, result } from "./host.ts";

async function servers(): Promise<ModuleGenerator> {
  const real = await Promise.all(["github", "filesystem"].map(async (name) => {
    return { name, source: `proxy:${name}`, tools: await readServer(name) };
  }));
  const odd = packOf("my-pack", [
    { name: "delete", inputSchema: { type: "object", properties: {} } },
    { name: "API-get-user" },
    { name: "constructor" },
    { name: "__proto__" },
    { name: "then" },
    { name: "3d" },
    { name: "a.b/c" },
    { name: "größe" },
    { name: "create_it" },
    { name: "createIt" },
  ]);
  return generatorOf([...real, odd]);
}

Deno.test("TSX-16 TSX-19 a program imports every server's tools from `toolscript`", async () => {
  await using host = await openHost(await servers(), ({ wire }) => result({ content: wire }));
  const run = await host.run(
    `import { tools, ToolError } from "toolscript";
    const read = await tools.filesystem.readTextFile({ path: "a" });
    const issue = await tools.github.createIssue({ owner: "a", repo: "b", title: "c" });
    console.log(read.content, issue.content, typeof ToolError);`,
    { check: true },
  );
  assert.equal(run.stderr, "");
  assert.equal(run.stdout, "filesystem__read_text_file github__create_issue function\n");
});

Deno.test("TSX-18 the checker knows tools, arguments and results", async (t) => {
  await using host = await openHost(await servers(), () => result(null));
  const wrong: Record<string, [program: string, message: RegExp]> = {
    "a tool that is not there": ["tools.github.creatIssue({})", /did you mean 'createIssue'/i],
    "a server that is not there": ["tools.gitlab.x()", /'gitlab' does not exist on type 'Tools'/],
    "a missing argument": ["tools.github.createIssue({ owner: 'a', repo: 'b' })", /'title' is mis/],
    "an unknown argument": ["tools.filesystem.readFile({ path: 'a', tial: 1 })", /'tial' does not/],
    "a wrong type": ["tools.filesystem.readFile({ path: 7 })", /'number' is not assignable/],
    "no arguments": ["tools.github.createIssue()", /Expected 1-2 arguments/],
    "a wrong value": ["tools.github.listIssues({ owner: 'a', repo: 'b', state: 'x' })", /'"x"'/],
    "a wrong result": ["(await tools.filesystem.readFile({ path: 'a' })).text", /'text' does not/],
    "the original spelling": ["tools.github.create_issue({ owner: 'a' })", /missing the following/],
  };
  const lines = Object.values(wrong).map(([program]) => program);
  const source = `import { tools } from "toolscript";\n${lines.join(";\n")};\n`;
  const run = await host.run(source, { check: true });
  assert.equal(run.success, false);
  assert.equal(host.calls.length, 0);
  for (const [index, [name, [, message]]] of Object.entries(wrong).entries()) {
    await t.step(name, () => {
      const end = run.stderr.search(new RegExp(`\\.ts:${index + 2}:`));
      const start = run.stderr.search(new RegExp(`\\.ts:${index + 1}:`));
      assert.ok(end > 0);
      assert.match(run.stderr.slice(Math.max(start, 0), end), message);
    });
  }
});

Deno.test("TSX-20 every tool is reached in camelCase and under its own name", async () => {
  await using host = await openHost(await servers(), ({ wire }) => result(wire));
  const run = await host.run(
    `import { tools } from "toolscript";
    const pack = tools.myPack;
    const calls = [
      tools["my-pack"].delete, pack.delete, pack["API-get-user"], pack.apiGetUser,
      pack.constructor, pack["__proto__"], pack.proto, pack.then_, pack["3d"], pack._3d,
      pack["a.b/c"], pack.aBC, pack.größe, pack.create_it, pack.createIt, pack.createIt_2,
    ];
    const wires: string[] = [];
    for (const call of calls) wires.push(await call());
    console.log(wires.map((wire) => wire.replace("my-pack__", "")).join(" "));
    const { github } = tools;
    const same = await github === github && await tools === tools &&
      (await pack).delete === pack.delete;
    console.log(same, JSON.stringify(tools), Object.keys(tools).join(), "github" in tools);
    console.log(Object.keys(pack).sort().join(), "then" in pack, \`\${tools} \${pack}\`);
    console.log(tools.filesystem);`,
    { check: true },
  );
  assert.equal(run.stderr, "");
  const [wires, whole, keys, ...printed] = run.stdout.trim().split("\n");
  assert.equal(
    wires,
    "delete delete API-get-user API-get-user constructor __proto__ __proto__ then 3d 3d " +
      "a.b/c a.b/c größe create_it createIt create_it",
  );
  assert.equal(
    whole,
    'true {"github":{},"filesystem":{},"myPack":{}} github,filesystem,myPack true',
  );
  assert.equal(
    keys,
    "_3d,aBC,apiGetUser,constructor,createIt,createIt_2,delete,größe,proto,then_ true " +
      "[object Object] [object Object]",
  );
  assert.match(printed.join("\n"), /^\{\n {2}readFile: \[Function: readFile\],\n/);
});

Deno.test("a filtered module holds what the filter names, in values and types", async () => {
  await using host = await openHost(await servers(), ({ wire }) => result(wire));
  const program = `import { tools } from "toolscript";
    console.log(Object.keys(tools).join(), Object.keys(tools.github).join());
    await tools.github.list_issues({ owner: "a", repo: "b" });
    await tools.myPack.delete();`;
  const query = `?filter=github__list_*,my-*,nothing*/${encodeURIComponent("\nPWNED()")}`;
  const run = await host.run(program, { query, check: true });
  assert.equal(run.stderr, "");
  assert.equal(run.stdout, "github,myPack listCommits,listIssues,listPullRequests\n");
  assert.deepEqual(host.calls.map((call) => call.wire), [
    "github__list_issues",
    "my-pack__delete",
  ]);
  const wrong = `import { tools } from "toolscript";\ntools.github.createIssue;\ntools.filesystem;`;
  const refused = await host.run(wrong, { query, check: true });
  assert.match(refused.stderr, /'createIssue' does not exist/);
  assert.match(refused.stderr, /'filesystem' does not exist/);
});
