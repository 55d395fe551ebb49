/** What validation says of several modules, as of one. */

import type { Validation } from "../validate/types.ts";

/** Everything that was found, by module, in their order. */
export function joinValidations(modules: ReadonlyMap<string, Validation>): Validation {
  const all = [...modules].map(([file, validation]) => ({
    ...validation,
    findings: validation.findings.map((finding) => ({ ...finding, file })),
  }));
  return {
    valid: all.every(({ valid }) => valid),
    errors: all.flatMap(({ errors }) => errors),
    warnings: all.flatMap(({ warnings }) => warnings),
    requiresConfirmation: all.some(({ requiresConfirmation }) => requiresConfirmation),
    findings: all.flatMap(({ findings }) => findings),
    open: all.some(({ open }) => open),
  };
}
