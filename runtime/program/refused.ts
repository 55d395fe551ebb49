/** What keeps a program from being run, gravest first. */

import { LEVELS, type Policy } from "#packs/policy";
import { importMessage } from "../validate/findings.ts";
import { moduleName } from "../validate/references.ts";
import type { Validation } from "../validate/types.ts";
import { TOOLS_MODULE } from "../syntax/imports.ts";
import type { ProgramFinding, RefusedProgram } from "./types.ts";

/** Further findings say nothing new. */
export const MAX_FINDINGS = 50;

const WEIGHT = {
  bad_request: 0,
  too_large: 0,
  blocked: 1,
  syntax_error: 2,
  type_error: 3,
} satisfies Record<ProgramFinding["code"], number>;

/** Everything that was found, as one answer; undefined where nothing was. */
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

/** The finding for an import that no program may have, in the words of the lists where one of them
 * names it. */
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

/** The finding for an import of a path beside the program that leads somewhere else. */
export function outsideImport(specifier: string, place: FindingPlace): ProgramFinding {
  const message = `Cannot import ${JSON.stringify(specifier)}: it leads out of the program's ` +
    "folder, or to a hidden file: copy the file beside the program";
  return { code: "blocked", message, specifier, ...place };
}
