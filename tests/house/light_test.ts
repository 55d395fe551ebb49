/** What starts with every client of MCP loads little. */

import assert from "node:assert/strict";
import { ROOT } from "./sources.ts";

interface Module {
  readonly specifier: string;
  readonly dependencies?: readonly {
    /** Where it is; missing for an import of types. */
    readonly code?: { readonly specifier?: string };
    readonly isDynamic?: boolean;
  }[];
}

Deno.test("toolscript mcp open loads no gateway, no packs and no runtime", async () => {
  const loaded = await modulesOf("cli/mcp/open.ts");
  assert.ok(loaded.has("gateway/mcp/mod.ts"), "the modules are found");
  const doors = ["assembly", "gateway", "packs", "runtime", "sandbox"].map((name) =>
    `${name}/mod.ts`
  );
  assert.deepEqual(doors.filter((door) => loaded.has(door)), []);
});

/** Files below the root that load with one of them. */
async function modulesOf(path: string): Promise<ReadonlySet<string>> {
  const args = ["info", "--json", `${ROOT}${path}`];
  const { stdout } = await new Deno.Command(Deno.execPath(), { args, cwd: ROOT }).output();
  const { modules, roots } = JSON.parse(new TextDecoder().decode(stdout));
  const byName = new Map((modules as Module[]).map((module) => [module.specifier, module]));
  const loaded = new Set<string>(roots);
  for (const name of loaded) {
    for (const { code, isDynamic } of byName.get(name)?.dependencies ?? []) {
      if (code?.specifier !== undefined && !isDynamic) loaded.add(code.specifier);
    }
  }
  const root = new URL(`file://${ROOT}`).href;
  return new Set([...loaded].map((name) => name.startsWith(root) ? name.slice(root.length) : name));
}
