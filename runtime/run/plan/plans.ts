/** Plans that were made and wait to be run: each once, for its own program, for five minutes. */

import type { PlannedCall } from "../../inbox/mod.ts";
import type { Confirmations } from "../approval/confirmations.ts";
import { subjectOfRun } from "../approval/confirmations.ts";
import { RunRefused } from "../errors.ts";
import type { Question, RunRequest } from "../types.ts";

const PREFIX = "p_";

/** Keeps a plan and returns its id. */
export async function keepPlan(
  confirmations: Confirmations,
  request: RunRequest,
  calls: readonly PlannedCall[],
): Promise<string> {
  return `${PREFIX}${confirmations.issue(await subjectOfPlan(request), calls)}`;
}

/** Uses up a plan and returns its calls. Throws `RunRefused("not_found")` for one that is spent,
 * unknown, too old, or of another program. */
export async function takePlan(
  confirmations: Confirmations,
  request: RunRequest,
  id: string,
): Promise<readonly Question[]> {
  const calls = id.startsWith(PREFIX)
    ? confirmations.take(id.slice(PREFIX.length), await subjectOfPlan(request))
    : undefined;
  if (calls) return calls;
  const message = "Cannot run the plan: it is used, older than five minutes, unknown, or of " +
    "another program: make it again";
  throw new RunRefused("not_found", message);
}

/** A plan is no confirmation, nor the other way round. */
async function subjectOfPlan(request: RunRequest): Promise<string> {
  return `plan ${await subjectOfRun(request)}`;
}
