/** The rules that hold the parts apart. */

import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

async function read(path: string): Promise<string> {
  return await Deno.readTextFile(`${ROOT}${path}`);
}

/** What a file imports, as written. */
function importsOf(text: string): string[] {
  return [...text.matchAll(/^(?:import|export)\b[^;]*?from "([^"]+)";/gms)].map(([, from = ""]) =>
    from
  );
}

Deno.test("RUN-36 to RUN-39 each stage is a module of its own, and the runner knows the order", async (t) => {
  await t.step("RUN-36 fences are taken off in their own module", async () => {
    const fence = await read("runtime/command/fence.ts");
    assert.match(fence, /export function stripFence/);
    assert.deepEqual(
      importsOf(fence).filter((from) => /run\/|program\/read|gateway/.test(from)),
      [],
    );
  });

  await t.step("RUN-37 tools are found in the registry", async () => {
    const registry = await read("packs/registry/registry.ts");
    assert.match(registry, /export function createRegistry/);
    assert.deepEqual(
      importsOf(registry).filter((from) => /^#(runtime|gateway|cli)/.test(from)),
      [],
    );
  });

  await t.step("RUN-38 dot notation is the pack proxy's", async () => {
    const proxy = await read("runtime/types/pack_proxy.ts");
    assert.match(proxy, /export function createTools/);
    assert.deepEqual(importsOf(proxy), []);
  });

  await t.step("RUN-39 the runner parses, wraps and converts nothing itself", async () => {
    const runner = await read("runtime/run/run.ts");
    const foreign = importsOf(runner).filter((from) =>
      /babel|yaml|typescript|hono|modelcontextprotocol/.test(from)
    );
    assert.deepEqual(foreign, []);
    assert.doesNotMatch(runner, /JSON\.(parse|stringify)|new RegExp/);
  });
});
