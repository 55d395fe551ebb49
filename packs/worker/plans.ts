/** From the configuration to the extension packs that it asks for, to be compared and made. */

import type { JsonObject, Log } from "#sandbox";
import { discoverPacks, takenNames } from "./discover/discover.ts";
import { readSettings } from "./settings.ts";
import type { PackFinding } from "./types.ts";
import { createWorkerPack, type WorkerPack, type WorkerPackDeps } from "./worker_pack.ts";

export interface ExtensionOptions {
  readonly project: string;
  readonly home: string;
  /** `packs.<name>` of the configuration. */
  readonly settings: Readonly<Record<string, JsonObject>>;
  /** The same for packs of the project. */
  readonly projectSettings: Readonly<Record<string, JsonObject>> | undefined;
  /** Names that packs of a project leave to others, where nobody trusts it. */
  readonly yieldsTo?: readonly string[];
  readonly idleMs: number;
  /** Names of the configured servers. */
  readonly servers: readonly string[];
  readonly deps: WorkerPackDeps;
  readonly log: Log;
}

/** One pack as the configuration wants it: a `PackPlan`. */
export interface ExtensionPlan {
  readonly name: string;
  /** Where this is the same, so is the pack; its file it follows by itself. */
  readonly settings: unknown;
  readonly make: () => WorkerPack;
}

export interface ExtensionPlans {
  readonly plans: readonly ExtensionPlan[];
  /** Files that are no packs, names that clash, settings that are wrong. */
  readonly findings: readonly PackFinding[];
}

/** Looks at the folders and the settings. Nothing is started. */
export function createExtensionPlans(options: ExtensionOptions): ExtensionPlans {
  const { project, home, servers, idleMs, deps, log, yieldsTo } = options;
  const found = discoverPacks({ project, home, taken: takenNames(servers), yieldsTo });
  const findings = [...found.findings];
  const plans = found.packs.map((file) => {
    const isProjects = file.scope === "project" && project !== home;
    const all = (isProjects ? options.projectSettings : options.settings) ?? {};
    const given = Object.hasOwn(all, file.name) ? all[file.name] : {};
    const { settings, problems } = readSettings(file.name, given ?? {}, { idleMs });
    for (const message of problems) {
      findings.push({ severity: "warning", message, file: file.file, fix: "Correct onetool.yaml" });
    }
    const make = () => createWorkerPack(file, { settings, deps });
    return { name: file.name, settings: { file, settings }, make };
  });
  for (const { message, file, fix } of findings) log("warning", message, { file, fix });
  return { plans, findings };
}
