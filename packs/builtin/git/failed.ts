/** Errors of calls of git. */

import { PackError } from "../../errors.ts";

export function failed(problem: string): PackError {
  return new PackError("tool_error", `Cannot ask git: ${problem || "it failed"}`);
}

export function noRepository(label: string, problem: string): PackError {
  const reason = problem || "git cannot read it";
  return new PackError("tool_error", `Cannot read the repository of "${label}": ${reason}`);
}
