/** What validation says of several modules, as of one. */

import type { Validation } from "../validate/types.ts";

/** Everything that was found, in the order of the modules. */
export function joinValidations(all: readonly Validation[]): Validation {
  return {
    valid: all.every(({ valid }) => valid),
    errors: all.flatMap(({ errors }) => errors),
    warnings: all.flatMap(({ warnings }) => warnings),
    requiresConfirmation: all.some(({ requiresConfirmation }) => requiresConfirmation),
    findings: all.flatMap(({ findings }) => findings),
  };
}
