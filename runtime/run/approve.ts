/** Decides about the findings of validation before anything runs: refused, or put to a person. */

import type { ToolEntry } from "#packs";
import type { JsonObject } from "#sandbox";
import type { Validation, ValidationFinding } from "../validate/types.ts";
import { type Approvals, createApprovals, namesOf } from "./approvals.ts";
import { canonicalJson } from "./canonical_json.ts";
import { type Confirmations, subjectOfRun } from "./confirmations.ts";
import { RunRefused } from "./errors.ts";
import type { Explained } from "./problem.ts";
import type { RunRecord } from "./record.ts";
import { explainBlocked } from "./refused.ts";
import type { Ask, Question, RunRequest } from "./types.ts";
import { untilAborted } from "./until_aborted.ts";

export interface ApproveOptions {
  readonly request: RunRequest;
  /** What the program is called where a finding names no module. */
  readonly file: string;
  /** Missing where nobody can be asked. */
  readonly ask?: Ask;
  /** Whether the request can be sent again with a confirmation. */
  readonly repeatable: boolean;
  readonly confirmations: Confirmations;
  readonly entries: () => readonly ToolEntry[];
  /** Throws what keeps the program from running anyway: nobody is asked about that. */
  readonly beforeAsking: () => Promise<void> | undefined;
  readonly record: Pick<RunRecord, "started">;
  readonly signal: AbortSignal;
}

export type Approval =
  | {
    readonly kind: "approved";
    readonly approvals: Approvals;
    /** Everything that was approved, for a confirmation that adds to it. */
    readonly calls: readonly Question[];
  }
  | { readonly kind: "refused"; readonly explained: Explained };

/** Decides whether a program may begin. Throws `RunRefused("needs_confirmation")` where it would
 * have to be confirmed and nobody can be asked. */
export async function approve(validation: Validation, options: ApproveOptions): Promise<Approval> {
  const { findings } = validation;
  const refused = explainBlocked(validation, options.file);
  if (refused) return { kind: "refused", explained: refused };
  const asked = findings.filter(({ level }) => level === "ask");
  if (asked.length === 0 && options.request.confirm === undefined) {
    return { kind: "approved", approvals: createApprovals([]), calls: [] };
  }
  await options.beforeAsking();
  return await approveShown(asked, await takeConfirmed(options), options);
}

/** What an id that came with the request approves; nothing where none came or it is not good. */
async function takeConfirmed(
  { request, confirmations }: ApproveOptions,
): Promise<readonly Question[]> {
  if (request.confirm === undefined) return [];
  return confirmations.take(request.confirm, await subjectOfRun(request)) ?? [];
}

async function approveShown(
  asked: readonly ValidationFinding[],
  confirmed: readonly Question[],
  options: ApproveOptions,
): Promise<Approval> {
  const { record, ask, signal } = options;
  const shown = asked.map((finding) => shownCall(finding, options.entries()));
  const approvals = createApprovals(shown);
  const calls = [...confirmed];
  const pending = without(shown, confirmed);
  if (pending.length > 0 && !ask) throw await refusal(asked, { shown, calls, options });
  for (const call of ask ? pending : []) {
    if (approvals.isWidened([call.tool])) continue;
    record.started();
    const reason = () => new RunRefused("cancelled", "The run was cancelled before it began");
    const answer = ask && await untilAborted(ask(call, signal), { signal, reason });
    if (answer === "run") approvals.widen(call.tool);
    else if (answer === "call") calls.push(call);
    else return { kind: "refused", explained: explainDeclined(call, asked[shown.indexOf(call)]) };
  }
  for (const call of calls) approvals.add(call);
  return { kind: "approved", approvals, calls };
}

/** A call as it stands in the code, its tool by the registry's name where that is known. */
function shownCall(
  { call, name = "", line }: ValidationFinding,
  entries: readonly ToolEntry[],
): Question {
  const written = call ?? { tool: name, arguments: "", line };
  const entry = entries.find((candidate) => namesOf(candidate).includes(written.tool));
  return entry ? { ...written, tool: `${entry.pack}.${entry.tool}` } : written;
}

/** The calls that are not among those confirmed, each of which counts once. */
function without(shown: readonly Question[], confirmed: readonly Question[]): Question[] {
  const keys = confirmed.map(keyOf);
  return shown.filter((call) => {
    const at = keys.indexOf(keyOf(call));
    if (at !== -1) keys.splice(at, 1);
    return at === -1;
  });
}

function keyOf({ tool, arguments: args, line = 0 }: Question): string {
  return canonicalJson([tool, args, line]);
}

interface Refusal {
  readonly shown: readonly Question[];
  readonly calls: readonly Question[];
  readonly options: ApproveOptions;
}

async function refusal(
  asked: readonly ValidationFinding[],
  { shown, calls, options }: Refusal,
): Promise<RunRefused> {
  const { request, repeatable, confirmations } = options;
  const needed = [...calls, ...without(shown, calls)];
  const patterns = [...new Set(asked.flatMap(({ pattern }) => pattern ?? []))];
  const quoted = patterns.map((pattern) => `'${pattern}'`).join(", ");
  const stale = request.confirm !== undefined && calls.length === 0
    ? "; the confirmation that came with it is used, too old, or of another request"
    : "";
  const again = repeatable ? 'send it again with the id in details.confirm as "confirm", or ' : "";
  const message =
    `Cannot run: ${listed(shown)} must be confirmed (matches ${quoted}), and nobody ` +
    `can be asked here${stale}: ${again}take the pattern out of security.ask in the config`;
  const details: JsonObject = {
    ...(repeatable ? { confirm: confirmations.issue(await subjectOfRun(request), needed) } : {}),
    calls: needed.map((call) => ({ ...call })),
    pattern: patterns[0] ?? null,
  };
  return new RunRefused("needs_confirmation", message, { details });
}

const MOST_LISTED = 5;

function listed(calls: readonly Question[]): string {
  const names = calls.slice(0, MOST_LISTED).map(({ tool, line }) => `"${tool}" at line ${line}`);
  const more = calls.length - names.length;
  return names.join(", ") + (more > 0 ? ` and ${more} more` : "");
}

function explainDeclined(call: Question, finding: ValidationFinding | undefined): Explained {
  const { tool, line } = call;
  const place = line === undefined ? "" : ` at line ${line}`;
  const message = `Cannot run: "${tool}"${place} was declined: do without it, or explain why it ` +
    "is needed before it is asked for again";
  return {
    text: message,
    error: {
      code: "blocked",
      name: "BlockedError",
      message,
      ...(line === undefined ? {} : { line }),
      retryable: false,
      tool,
      details: { reason: "declined", pattern: finding?.pattern ?? null },
    },
  };
}
