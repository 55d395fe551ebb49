/** Findings against a program, the most severe first. */

import { LEVELS, type Policy } from "#packs/policy";
import { importMessage } from "../validate/findings.ts";
import { moduleName } from "../validate/references.ts";
import type { Validation } from "../validate/types.ts";
import { TOOLS_MODULE } from "../syntax/imports.ts";
import type { ProgramFinding, RefusedProgram } from "./types.ts";

/** Most findings in one reply. */
export const MAX_FINDINGS = 50;

const WEIGHT = {
  bad_request: 0,
  too_large: 0,
  blocked: 1,
  syntax_error: 2,
  type_error: 3,
} satisfies Record<ProgramFinding["code"], number>;

/** Joins all findings into one reply; undefined without findings. */
export function refusedProgram(
  findings: readonly ProgramFinding[],
  validation: Validation,
): RefusedProgram | undefined {
  const [finding, ...others] = findings.toSorted((a, b) => WEIGHT[a.code] - WEIGHT[b.code]);
  return finding && { kind: "finding", finding, others, validation };
}

type FindingPlace = Pick<ProgramFinding, "file" | "line" | "column">;

export interface RefusedImport {
  readonly place: FindingPlace;
  readonly policy: Policy;
}

/** Finding for an import that is not allowed, with the message of a list that names it. */
export function blockedImport(
  specifier: string,
  { place, policy }: RefusedImport,
): ProgramFinding {
  const module = moduleName(specifier);
  const { level, pattern } = policy.decideImport(module);
  if (level !== "allowed" && LEVELS[level] === "refuse" && pattern !== undefined) {
    const message = importMessage({ name: module, level, pattern });
    return { code: "blocked", message, specifier, pattern, ...place };
  }
  const message = `Cannot import ${JSON.stringify(specifier)}: a program may import ` +
    `"${TOOLS_MODULE}" and .ts files beside it: use a tool instead`;
  return { code: "blocked", message, specifier, ...place };
}

/** Finding for an import of a path that leads out of the program's folder. */
export function outsideImport(specifier: string, place: FindingPlace): ProgramFinding {
  const message = `Cannot import ${JSON.stringify(specifier)}: it leads out of the program's ` +
    "folder, or to a hidden file: copy the file beside the program";
  return { code: "blocked", message, specifier, ...place };
}
