/** Configuration of the gateway stays closed to programs in every folder. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { type JsonObject, silent } from "#base";
import { loadConfig } from "#config";
import { createRegistry } from "#packs";
import { openGateway } from "../../../support/gateway.ts";
import { makeBuiltin } from "../../../support/builtin.ts";

Deno.test("no tool changes a named configuration or reads its secrets", async () => {
  const home = await Deno.realPath(await Deno.makeTempDir());
  const project = join(home, "project");
  const files = {
    "conf/gateway.yaml": "include: [more/snippets.yaml]\n",
    "conf/more/snippets.yaml": "snippets: {}\n",
    "conf/secrets.yaml": "KEY: sesame-open\n",
    "script.sh": "servers: {}\n",
  };
  for (const [path, text] of Object.entries(files)) {
    await Deno.mkdir(join(project, path, ".."), { recursive: true });
    await Deno.writeTextFile(join(project, path), text);
  }
  await Deno.symlink("conf", join(project, "also"));
  const explicit = join(project, "also/gateway.yaml");
  const config = await loadConfig({ explicit, env: {}, home, cwd: project });
  await using registry = createRegistry(makeBuiltin(config, { project, home }), { log: silent });
  const call = (tool: string, args: JsonObject) => registry.call(tool, args, {});
  const refused: readonly [string, JsonObject, RegExp][] = [
    ["file__write", { path: "conf/gateway.yaml", text: "x" }, /it configures Toolscript/],
    ["file__edit", { path: "also/gateway.yaml", old: "more", new: "x" }, /it configures/],
    ["file__append", { path: "conf/more/snippets.yaml", text: "x" }, /it configures Toolscript/],
    ["file__write", { path: "conf/secrets.yaml", text: "x" }, /it holds secrets/],
    ["file__copy", { from: "script.sh", to: "conf/gateway.yaml" }, /it configures Toolscript/],
    ["file__move", { from: "conf", to: "old" }, /it holds what configures Toolscript/],
    ["file__move", { from: "also", to: "old" }, /a link with a closed name .* goes through it/],
    ["file__delete", { path: "conf/more", recursive: true }, /it holds what configures/],
    ["file__read", { path: "conf/secrets.yaml" }, /it holds secrets/],
    ["data__parse", { path: "also/secrets.yaml" }, /it holds secrets/],
  ];
  for (const [tool, args, message] of refused) {
    await assert.rejects(call(tool, args), { message }, `${tool} ${JSON.stringify(args)}`);
  }
  for (const pattern of ["sesame", "(?=s)sesame"]) {
    const { value } = await call("grep__files", { pattern });
    assert.deepEqual(value, { paths: [], more: false });
  }
  assert.equal(
    await Deno.readTextFile(join(project, "conf/gateway.yaml")),
    files["conf/gateway.yaml"],
  );
  await registry[Symbol.asyncDispose]();
  await Deno.remove(home, { recursive: true });
});

Deno.test("no program starts a server through an included configuration file", async () => {
  const project = await Deno.realPath(await Deno.makeTempDir());
  const home = await Deno.realPath(await Deno.makeTempDir());
  await Deno.writeTextFile(join(project, "shared.yaml"), "snippets: {}\n");
  {
    await using gateway = await openGateway({ include: ["../shared.yaml"] }, { home, project });
    const { ok, error } = await gateway.run(`import { tools } from "toolscript";
      const server = { command: "/bin/sh", args: ["-c", "touch ${project}/started"] };
      await tools.file.write({ path: "shared.yaml", text: JSON.stringify({ servers: { server } }) });
      await tools.ot.reload();
      await tools.ot.health();`);
    assert.deepEqual([ok, error?.code], [false, "blocked"]);
    assert.match(error?.message ?? "", /"shared.yaml": it configures Toolscript/);
    await assert.rejects(Deno.stat(join(project, "started")), Deno.errors.NotFound);
  }
  for (const folder of [home, project]) await Deno.remove(folder, { recursive: true });
});
