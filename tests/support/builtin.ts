/** A pack that comes with Toolscript, as a configuration makes it. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { createNameLookup, type JsonObject } from "#base";
import { loadConfig } from "#config";
import { createBuiltinPacks, type Pack } from "#packs";
import { closedOf } from "./closed.ts";

export interface BuiltinStage extends AsyncDisposable {
  /** Its folder, empty but for the configuration. */
  readonly project: string;
  readonly pack: Pack;
}

/** Opens the pack with these settings, in a project of its own. The pack is its caller's to end. */
export async function openBuiltin(name: string, settings: JsonObject): Promise<BuiltinStage> {
  const project = await Deno.realPath(await Deno.makeTempDir());
  await Deno.mkdir(join(project, ".onetool"));
  const file = join(project, ".onetool", "onetool.yaml");
  await Deno.writeTextFile(file, JSON.stringify({ packs: { [name]: settings } }));
  const { packs, closed } = await loadConfig({ env: {}, home: project, cwd: project });
  const pack = createBuiltinPacks(packs, {
    project,
    home: project,
    closed: closedOf({ closed }),
    fetch,
    names: createNameLookup(),
    deno: Deno.execPath(),
    now: Date.now,
    log: () => {},
    environment: Deno.env.toObject(),
  }).find((one) => one.name === name);
  assert.ok(pack);
  return {
    project,
    pack,
    async [Symbol.asyncDispose]() {
      await pack[Symbol.asyncDispose]();
      await Deno.remove(project, { recursive: true });
    },
  };
}
