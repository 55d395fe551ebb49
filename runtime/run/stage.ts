/** State of a run that its stages receive. */

import type { TraceContext, Tracer } from "#base";
import type { CallOptions, CallOrigin, Look, Peer } from "#packs";
import type { Lease, Sandbox } from "#sandbox";
import type { Answerer } from "../inbox/mod.ts";
import type { ReadyProgram } from "../program/types.ts";
import type { Approval } from "./approval/approve.ts";
import type { CallKeeper } from "./approval/call_keeper.ts";
import { unasked } from "./calls/peer.ts";
import type { PlanHooks } from "./plan/planner.ts";
import type { RunRecord } from "./record.ts";
import type { Ask, RunEvent, RunRequest } from "./types.ts";

export interface RunOptions {
  readonly signal: AbortSignal;
  /** The name of the client that sent it, as it gave it. */
  readonly client?: string;
  /** Set for a client that speaks MCP. */
  readonly via?: CallOrigin["via"];
  /** The run that this one is a part of, the outermost. */
  readonly within?: string;
  /** Runs around this one. */
  readonly depth?: number;
  /** The span that this run is a part of, here or in the program that asked for it. */
  readonly span?: Tracer;
  readonly trace?: TraceContext;
  readonly onEvent?: (event: RunEvent) => void;
  /** Look that this run is a part of. */
  readonly look?: Look;
  /** Asks the person of the run around this one. */
  readonly ask?: Ask;
  /** Refuses what was left out in the run around this one. */
  readonly insteadWithin?: CallOptions["insteadWithin"];
  /** Set where the run around this one is planned, and this one with it. */
  readonly planned?: (line?: number) => PlanHooks;
  /** Ways of the client to ask its person. */
  readonly answerers?: readonly Answerer[];
  /** True where the client waits for answers that only the page can give. */
  readonly waits?: boolean;
  /** The client, for questions and log messages of servers; missing without a client. */
  readonly peer?: Peer;
  /** True if the request can be sent again with the id of a confirmation. */
  readonly repeatable?: boolean;
}

/** Options of a look, which asks no person. */
export function withoutPerson({ peer, ...options }: RunOptions): RunOptions {
  const silent = peer && unasked(peer);
  return { ...options, peer: silent, ask: undefined, answerers: [], waits: false };
}

/** A run that has been received. */
export interface IncomingRun {
  readonly request: RunRequest;
  readonly options: RunOptions;
  readonly record: RunRecord;
  /** Origin of all its calls. */
  readonly origin: CallOrigin;
  readonly keeper: CallKeeper;
  readonly signal: AbortSignal;
}

/** Builds the origin of the calls of a run. */
export function originOf({ record, options }: Pick<IncomingRun, "record" | "options">): CallOrigin {
  const { within, depth, client, via } = options;
  return { run: record.run, within, depth, client, ...(via ? { via } : {}) };
}

/** Leases a process for a run, and records the time that it takes. */
export async function takeLease(
  { options: { within, depth = 1 }, record, signal }: Omit<IncomingRun, "keeper" | "origin">,
  sandbox: Pick<Sandbox, "lease">,
): Promise<Lease> {
  const place = within === undefined ? {} : { within: { run: within, depth } };
  return await record.time("hand_over", () => sandbox.lease({ signal, ...place }));
}

/** One run on its way through the stages. */
export interface Stage extends IncomingRun {
  readonly program: ReadyProgram;
  readonly lease: Lease;
  readonly approval: Extract<Approval, { kind: "approved" }>;
  /** Resolves when the program has passed its check. Undefined when it has passed already. */
  readonly ready: Promise<void> | undefined;
  /** Missing where no person can be asked. */
  readonly person: Ask | undefined;
}
