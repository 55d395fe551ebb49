/** Packs that come with Toolscript, as a configuration makes them. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { createNameLookup, type JsonObject, silent } from "#base";
import { type Config, loadConfig } from "#config";
import { type ClosedPaths, createBuiltinPacks, type Pack } from "#packs";
import { closedOf } from "./closed.ts";

export interface MakeOptions {
  readonly project: string;
  readonly home: string;
  /** Variables that the packs see (none). */
  readonly environment?: Readonly<Record<string, string>>;
  /** Paths that are closed (those of the configuration). */
  readonly closed?: ClosedPaths;
}

/** Makes all of them, as the gateway does. */
export function makeBuiltin(
  config: Pick<Config, "packs" | "closed">,
  { project, home, environment = {}, closed = closedOf(config) }: MakeOptions,
): Pack[] {
  return createBuiltinPacks(config.packs, {
    project,
    home,
    environment,
    closed,
    fetch,
    log: silent,
    names: createNameLookup(),
    deno: Deno.execPath(),
    now: Date.now,
  });
}

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
  const config = await loadConfig({ env: {}, home: project, cwd: project });
  const environment = Deno.env.toObject();
  const pack = makeBuiltin(config, { project, home: project, environment })
    .find((one) => one.name === name);
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
