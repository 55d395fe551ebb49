/** Errors and warnings of a text under lists of its own. */

import { createSecurityPolicy, validateCode } from "../../../runtime/validate/mod.ts";

export const EVAL = "Dangerous builtin 'eval' is not allowed (matches 'eval')";

export const FUNCTION = "Dangerous builtin 'Function' is not allowed (matches 'Function')";

export const CP_IMPORT = "Import of 'child_process' is not allowed (matches 'child_process')";

export function errors(code: string, lists = {}): readonly string[] {
  return validateCode(code, { policy: createSecurityPolicy(lists) }).errors;
}

export function warnings(code: string, lists = {}): readonly string[] {
  return validateCode(code, { policy: createSecurityPolicy(lists) }).warnings;
}
