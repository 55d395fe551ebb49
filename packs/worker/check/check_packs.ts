/** Check of all packs of a project and of the home folder. */

import { abortable, type JsonObject } from "#base";
import { isSameFolder } from "#files";
import { mapBounded } from "../../builtin/kit/map_bounded.ts";
import { checkPack } from "./check_pack.ts";
import { discoverPacks, type PackPlaces, reservedNames } from "../discover/discover.ts";
import type { PackFile, PackFinding } from "../types.ts";
import type { WorkerPackDeps } from "../worker_pack.ts";

export interface CheckPacksOptions extends PackPlaces {
  /** `packs.<name>` of the configuration. */
  readonly settings: Readonly<Record<string, JsonObject>>;
  /** The same for packs of the project; missing for an untrusted project, whose packs are not loaded. */
  readonly projectSettings: Readonly<Record<string, JsonObject>> | undefined;
  /** Names of the configured servers. */
  readonly servers: readonly string[];
  readonly deps: WorkerPackDeps;
  /** Aborts the check; packs that are not loaded get a finding. */
  readonly signal: AbortSignal;
}

export interface CheckedPack {
  readonly name: string;
  readonly file: PackFile;
  /** True for a disabled pack, which is not loaded. */
  readonly isOff: boolean;
  readonly findings: readonly PackFinding[];
}

export interface CheckedPacks {
  readonly packs: readonly CheckedPack[];
  /** Findings about files that are not packs. */
  readonly findings: readonly PackFinding[];
}

const AT_ONCE = 2;

/** Loads all packs, two at a time, each in its own process. */
export async function checkPacks(options: CheckPacksOptions): Promise<CheckedPacks> {
  const { project, home, checksAbove, servers } = options;
  const { packs, findings } = discoverPacks({
    project,
    home,
    checksAbove,
    reserved: reservedNames(servers),
  });
  const check = (file: PackFile) => checkOne(file, options);
  return { packs: await mapBounded(packs, { concurrent: AT_ONCE }, check), findings };
}

function untrusted({ file }: PackFile): PackFinding {
  return { severity: "warning", message: "Not loaded: not trusted", file, fix: "toolscript trust" };
}

async function checkOne(
  file: PackFile,
  { project, home, settings: own, projectSettings, deps, signal }: CheckPacksOptions,
): Promise<CheckedPack> {
  const { name } = file;
  const all = file.scope === "project" && !isSameFolder(project, home) ? projectSettings : own;
  if (!all) return { name, file, isOff: false, findings: [untrusted(file)] };
  const settings = Object.hasOwn(all, name) ? all[name] ?? {} : {};
  if (settings.enabled === false) return { name, file, isOff: true, findings: [] };
  try {
    const findings = await abortable(checkPack(file, { ...deps, settings }), signal);
    return { name, file, isOff: false, findings };
  } catch (error) {
    const message = signal.aborted ? "It was not loaded in time" : String(error);
    const fix = signal.aborted ? "Give it longer: --timeout" : undefined;
    const finding: PackFinding = { severity: "error", message, file: file.file, fix };
    return { name, file, isOff: false, findings: [finding] };
  }
}
