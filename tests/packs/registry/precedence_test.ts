/** Which of several packs with one name is used. */

import assert from "node:assert/strict";
import { createLocalPack, createRegistry } from "#packs";
import { loadConfig } from "#config";
import { makeBuiltin } from "../../support/builtin.ts";

Deno.test("createRegistry() lets a pack of the user's go before a built-in one", async () => {
  const project = await Deno.makeTempDir();
  const config = await loadConfig({ env: {}, home: project, cwd: project });
  const messages: string[] = [];
  const builtin = makeBuiltin(config, { project, home: project });
  const spec = { name: "mine", description: "", inputSchema: { type: "object" } };
  const own = ["git", "Grep"].map((name) =>
    createLocalPack(name, [{ spec, call: () => Promise.resolve({ value: name }) }])
  );
  await using registry = createRegistry([...own, ...builtin], {
    log: (_, message) => messages.push(message),
  });
  const names = registry.packs().map(({ name }) => name);
  assert.deepEqual(names.slice(0, 2), ["git", "Grep"]);
  assert.ok(names.includes("file") && !names.slice(2).includes("git") && !names.includes("grep"));
  assert.equal((await registry.call("git__mine", {}, {})).value, "git");
  assert.equal(registry.entries().find(({ pack }) => pack === "Grep")?.packKey, "grep");
  assert.deepEqual(messages.sort(), [
    'The built-in pack "git" gives way to yours of the same name',
    'The built-in pack "grep" gives way to yours of the same name',
  ]);
  await Deno.remove(project);
});
