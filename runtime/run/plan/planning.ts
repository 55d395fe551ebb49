/** Planning of a run: if its program is planned, and what becomes of the plan. */

import { abortable } from "#base";
import { isSnippet, packGoesBy, type Registry } from "#packs";
import type { Sandbox } from "#sandbox";
import type { ReadyProgram } from "../../program/types.ts";
import type { KeptCall } from "../approval/call_keeper.ts";
import { type Confirmations, type Confirmer, subjectOfRun } from "../approval/confirmations.ts";
import type { PersonOptions } from "../approval/person.ts";
import { cancelledEarly, RunRefused } from "../errors.ts";
import type { ExecuteDeps } from "../execute.ts";
import { markForeign } from "../reply.ts";
import { type IncomingRun, type Stage, takeLease } from "../stage.ts";
import type { RunPlan, RunReply, RunRequest } from "../types.ts";
import { askPlan } from "./ask_plan.ts";
import { type MadePlan, makePlan } from "./make_plan.ts";
import { writePlan } from "./plan_text.ts";

export interface PlanningDeps extends ExecuteDeps {
  readonly sandbox: Sandbox;
}

/** `alone`: the plan is the reply. `first`: a person is asked about it, then the program runs. */
export type Planning = "alone" | "first";

export interface PlannedRun {
  readonly incoming: IncomingRun;
  readonly program: ReadyProgram;
  /** True where a person can be asked. */
  readonly isAsked: boolean;
}

/** Decides if a program is planned. */
export function planningOf(
  { incoming: { request, options }, program, isAsked }: PlannedRun,
  { registry, settings }: Pick<PlanningDeps, "registry" | "settings">,
): Planning | undefined {
  if (request.plan === true) return "alone";
  const isPlain = request.plan === undefined && request.confirm === undefined;
  const isOuter = options.ask === undefined && options.planned === undefined;
  if (!isPlain || !isOuter || !isAsked || settings().approve !== "plan") return undefined;
  return mayAsk(program, registry) ? "first" : undefined;
}

/** Returns true for a program that may call what must be asked about. */
function mayAsk({ servers }: ReadyProgram, registry: Registry): boolean {
  const policy = registry.policy();
  return registry.entries().some((entry) => {
    const isInReach = servers === null || [...servers].some((name) => packGoesBy(entry, name));
    return isInReach && (isSnippet(entry) || policy.mayAsk(entry));
  });
}

/** Returns true where calls are asked about with the plan, or as they are made. */
export function isDeferred({ request, options }: IncomingRun, planning?: Planning): boolean {
  return planning !== undefined || request.plan !== undefined || options.planned !== undefined;
}

/** Calls of the plan that the request brings; none without one. */
export async function plannedCalls(
  { request, options: { client }, record: { run } }: IncomingRun,
  { confirmations }: Pick<PlanningDeps, "confirmations">,
): Promise<readonly KeptCall[]> {
  if (typeof request.plan !== "string") return [];
  return await takePlan(confirmations, request, { id: request.plan, run, client });
}

/** Plans a program. Resolves with the reply where the run ends with that, else with undefined: the
 * approved calls have then been added to the stage's approvals. */
export async function plan(
  planning: Planning,
  stage: Omit<Stage, "lease">,
  { person, ...deps }: PlanningDeps & { readonly person: PersonOptions },
): Promise<RunReply | undefined> {
  const { record, signal } = stage;
  const made = await makeOnce(stage, deps);
  if (planning === "alone") return await replyWithPlan(made, stage, deps);
  if (!made.isQuestioned) return undefined;
  record.started();
  const { approvals } = stage.approval;
  const refused = await askPlan(made, { ...person, approvals, signal });
  return refused && record.fail(refused);
}

/** Returns the request with an input that the plan and the run itself read. */
export function withSharedInput(request: RunRequest): RunRequest {
  const { stdin } = request;
  let bytes: Promise<Uint8Array> | undefined;
  return stdin ? { ...request, stdin: () => bytes ??= stdin() } : request;
}

async function makeOnce(stage: Omit<Stage, "lease">, deps: PlanningDeps): Promise<MadePlan> {
  await using lease = await takeLease(stage, deps.sandbox);
  const made = await makePlan({ ...stage, lease }, deps);
  if (!stage.signal.aborted) return made;
  throw cancelledEarly();
}

async function replyWithPlan(
  { calls, uncertain, failure, made }: MadePlan,
  stage: Omit<Stage, "lease">,
  { confirmations, settings }: Pick<PlanningDeps, "confirmations" | "settings">,
): Promise<RunReply> {
  const { request, record, signal } = stage;
  const plan: RunPlan = {
    id: await keepPlan(confirmations, request, calls.map(({ kept }) => kept)),
    calls: calls.map(({ call: { line = null, ...call } }) => ({ ...call, line })),
    uncertain,
    incomplete: failure !== undefined,
  };
  const reason = failure === undefined ? [] : [failure];
  const next = `Plan ${plan.id}: good once, for five minutes, for the same program`;
  const written = await abortable(writePlan(plan, signal), signal, { onAbort: cancelledEarly });
  const about = [written, ...reason].join("\n");
  const { sanitize: sanitizePolicy } = settings();
  const text = markForeign(about, { calls: made, stage, sanitizePolicy });
  return { ...record.succeed(`${text}\n${next}`), plan };
}

const PREFIX = "p_";

/** Keeps a plan and returns its id. */
export async function keepPlan(
  confirmations: Confirmations,
  request: RunRequest,
  calls: readonly KeptCall[],
): Promise<string> {
  return `${PREFIX}${confirmations.issue(await subjectOfPlan(request), calls)}`;
}

/** Uses up a plan and returns its calls. Throws `RunRefused("not_found")` for one that is spent,
 * unknown, too old, or of another program. */
export async function takePlan(
  confirmations: Confirmations,
  request: RunRequest,
  { id, ...by }: Confirmer & { readonly id: string },
): Promise<readonly KeptCall[]> {
  const isPlan = id.startsWith(PREFIX);
  const subject = await subjectOfPlan(request);
  const calls = isPlan
    ? confirmations.take(id.slice(PREFIX.length), subject, { ...by, allow: "all" })
    : undefined;
  if (calls) return calls;
  const message = "Cannot run the plan: it is used, older than five minutes, unknown, or of " +
    "another program: make it again";
  throw new RunRefused("not_found", message);
}

/** Subject of a plan: the id of a plan is no confirmation, nor the other way round. */
async function subjectOfPlan(request: RunRequest): Promise<string> {
  return `plan ${await subjectOfRun(request)}`;
}
