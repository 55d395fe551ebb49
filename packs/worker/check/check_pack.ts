/** Check of one pack, for `toolscript doctor`. */

import type { JsonObject } from "#base";
import { readSettings } from "../settings.ts";
import type { PackFile, PackFinding } from "../types.ts";
import { createWorkerPack, type WorkerPackDeps } from "../worker_pack.ts";

export interface CheckPackDeps extends WorkerPackDeps {
  /** `packs.<name>` of the configuration. */
  readonly settings: JsonObject;
}

/** Loads a pack in its own process, as a gateway does, and ends it. Without findings, it works. */
export async function checkPack(file: PackFile, deps: CheckPackDeps): Promise<PackFinding[]> {
  const { settings, problems } = readSettings(file.name, deps.settings, { idleMs: 1_000 });
  await using pack = createWorkerPack(file, { settings, deps });
  await pack.settle();
  await pack.load();
  const findings: PackFinding[] = problems.map((message) => ({
    severity: "warning",
    message,
    file: file.file,
    fix: "Correct onetool.yaml",
  }));
  findings.push(...pack.findings());
  if (findings.every(({ severity }) => severity !== "error") && pack.tools().length === 0) {
    const what = file.language === "python" ? "public function" : "exported function";
    const message = `The pack has no tools: the file has no ${what}`;
    findings.push({ severity: "warning", message, file: file.file });
  }
  return findings;
}
