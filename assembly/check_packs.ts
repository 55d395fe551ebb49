/** Loads packs without a gateway. */

import type { CheckOptions } from "#cli";
import { packSettings } from "#config";
import { type CheckedPacks, checkPacks as check, createWatcher } from "#packs";
import { createModuleDescriber } from "#runtime";

/** Loads every pack of a project and of the home folder once, as a gateway would. */
export async function checkPacks(
  { config, home, log, signal }: CheckOptions & { readonly home: string },
): Promise<CheckedPacks> {
  await using watcher = createWatcher({ log });
  const { project, cacheDir, servers } = config;
  const deno = Deno.execPath();
  return await check({
    project,
    home,
    signal,
    ...packSettings(config),
    servers: servers.map(({ name }) => name),
    deps: {
      log,
      watcher,
      project,
      home,
      cacheDir,
      deno,
      describe: createModuleDescriber({ deno }),
      environment: Deno.env.toObject(),
      callAnother: () => Promise.reject(new Error("No other tool can be called while loading")),
    },
  });
}
