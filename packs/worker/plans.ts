/** Plans of the configured extension packs. */

import type { JsonObject, Log } from "#base";
import { isSameFolder } from "#files";
import { discoverPacks, type PackPlaces, reservedNames } from "./discover/discover.ts";
import { readSettings } from "./settings.ts";
import type { PackFinding } from "./types.ts";
import { createWorkerPack, type WorkerPack, type WorkerPackDeps } from "./worker_pack.ts";

export interface ExtensionOptions extends PackPlaces {
  /** `packs.<name>` of the configuration. */
  readonly settings: Readonly<Record<string, JsonObject>>;
  /** The same for packs of the project. */
  readonly projectSettings: Readonly<Record<string, JsonObject>> | undefined;
  /** Names that packs of an untrusted project do not take. */
  readonly yieldsTo?: readonly string[];
  readonly idleMs: number;
  /** Names of the configured servers. */
  readonly servers: readonly string[];
  readonly deps: WorkerPackDeps;
  readonly log: Log;
}

/** A `PackPlan` of one extension pack. */
export interface ExtensionPlan {
  readonly name: string;
  /** Equal settings keep the pack; it follows its file by itself. */
  readonly settings: unknown;
  readonly make: () => WorkerPack;
}

export interface ExtensionPlans {
  readonly plans: readonly ExtensionPlan[];
  /** Findings about unusable files, clashing names and invalid settings. */
  readonly findings: readonly PackFinding[];
}

/** Reads the folders and the settings. Starts nothing. */
export function createExtensionPlans(options: ExtensionOptions): ExtensionPlans {
  const { project, home, servers, idleMs, deps, log } = options;
  const discovered = discoverPacks({ ...options, reserved: reservedNames(servers) });
  const findings = [...discovered.findings];
  const plans = discovered.packs.map((file) => {
    const isProjects = file.scope === "project" && !isSameFolder(project, home);
    const all = (isProjects ? options.projectSettings : options.settings) ?? {};
    const own = Object.hasOwn(all, file.name) ? all[file.name] : {};
    const { settings, problems } = readSettings(file.name, own ?? {}, { idleMs });
    for (const message of problems) {
      findings.push({ severity: "warning", message, file: file.file, fix: "Correct onetool.yaml" });
    }
    const make = () => createWorkerPack(file, { settings, deps });
    return { name: file.name, settings: { file, settings }, make };
  });
  for (const { message, file, fix } of findings) log("warning", message, { file, fix });
  return { plans, findings };
}
