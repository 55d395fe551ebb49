import assert from "node:assert/strict";
import { createProj, type ProjectPath, type ProjFunctions } from "../../../runtime/types/proj.ts";

interface Proj extends ProjFunctions {
  readonly onetool: ProjectPath;
  readonly unknown: ProjectPath;
}

const proj = createProj<Proj>([
  ["onetool", "/home/ana/projects/onetool", { owner: "ana" }],
  ["list", "/home/ana/list"],
]);

Deno.test("createProj() gives each project's path, which is a string and can be joined", () => {
  assert.equal(`${proj.onetool}`, "/home/ana/projects/onetool");
  assert.equal(JSON.stringify({ at: proj.onetool }), '{"at":"/home/ana/projects/onetool"}');
  assert.equal(proj.onetool.path, "/home/ana/projects/onetool");
  assert.equal(proj.onetool.join("src", "main.ts").path, "/home/ana/projects/onetool/src/main.ts");
  assert.equal(`${proj.onetool.join("..", "other")}`, "/home/ana/projects/other");
  assert.equal(proj.onetool.join("src").attr("owner"), "ana");
  assert.equal(proj.onetool.attr("constructor"), undefined);
  assert.ok(proj.onetool.endsWith("onetool"));
});

Deno.test("createProj() keeps its functions before projects of the same name", () => {
  assert.deepEqual(proj.list(), ["onetool", "list"]);
  assert.equal(`${proj.path("list")}`, "/home/ana/list");
  assert.equal(`${proj.path({ name: "onetool" })}`, "/home/ana/projects/onetool");
});

Deno.test("createProj() lists the existing names for an unknown one", () => {
  assert.throws(() => proj.unknown, {
    name: "AttributeError",
    message: '"proj" has no "unknown": available functions: path, list; available projects: ' +
      "onetool, list",
  });
});
