/** Planner: makes the calls of a program that read, and writes the others down. */

import { countParts } from "#base";
import {
  type CallOptions,
  type CallResult,
  type InsteadCall,
  isSnippet,
  PackError,
  type ToolEntry,
} from "#packs";
import type { PlannedCall } from "../../inbox/mod.ts";
import type { CallKeeper, KeptCall } from "../approval/call_keeper.ts";
import type { ToolCallPlace } from "../../program/types.ts";
import type { StandIn } from "./stand_in.ts";

/** Calls that a program would make. */
export interface Plan {
  /** Grouped by tool, in the order of their first calls. */
  readonly calls: readonly WrittenCall[];
  /** True where a person must be asked about one of them. */
  readonly isQuestioned: boolean;
  /** True where a later call may depend on the result of one that was not made. */
  readonly uncertain: boolean;
  /** True where more would be called than a plan can hold. */
  readonly isCut: boolean;
}

/** A call, and how it is kept. */
export interface WrittenCall {
  readonly call: PlannedCall;
  readonly kept: KeptCall;
}

/** Options of a call that is planned, in place of those that ask. */
export type PlanHooks = Required<Pick<CallOptions, "ask" | "instead">>;

export interface Planner {
  /** Makes the options of one call; `line` is where the code makes it, if that is known. */
  hooks(line?: number): PlanHooks;
  /** Tells that the program has looked at a stand-in. */
  used(): void;
  plan(): Plan;
}

export interface PlannerDeps {
  readonly standIn: (entry: ToolEntry) => StandIn;
  /** The most that the code does with a result of the tool. */
  readonly useOf: (entry: ToolEntry) => ToolCallPlace["use"];
  readonly keeper: CallKeeper;
  /** The most lists, objects and keys of all calls. */
  readonly mostParts: number;
  readonly signal: AbortSignal;
}

/** Characters of all calls. */
const MOST_CHARACTERS = 8_388_608;

/** Builds a planner without calls. */
export function createPlanner(
  { standIn, useOf, keeper, mostParts, signal }: PlannerDeps,
): Planner {
  const calls: (WrittenCall | undefined)[] = [];
  let questioned = false;
  let uncertain = false;
  let characters = 0;
  let parts = 0;
  let isCut = false;

  /** Throws where the plan has no room for a call. */
  async function keep(call: PlannedCall): Promise<KeptCall> {
    if (isCut) throw tooLarge(call.tool, mostParts);
    const count = await keeper.inTurn(() => countParts(call.arguments, mostParts), signal);
    parts += count; // after the wait, in which other calls are counted
    isCut ||= parts > mostParts;
    if (isCut) throw tooLarge(call.tool, mostParts);
    const kept = await keeper.keep(call, signal);
    characters += kept.text.length;
    isCut ||= characters > MOST_CHARACTERS;
    if (isCut) throw tooLarge(call.tool, mostParts);
    return kept;
  }

  async function write(
    { entry, arguments: args, within = false }: InsteadCall,
    { line, because }: Pick<PlannedCall, "line" | "because">,
  ): Promise<CallResult> {
    const place = line === undefined || within ? {} : { line };
    const reason = because === undefined ? {} : { because };
    const tool = `${entry.pack}.${entry.tool}`;
    const call = { tool, arguments: args, ...place, effect: entry.effect, ...reason };
    const at = calls.push(undefined) - 1; // in the order in which they were made
    calls[at] = { call, kept: await keep(call) };
    const use = useOf(entry);
    const { value, kind } = standIn(entry);
    const isUnseen = kind === "open" ? use === "tested" : kind === "plain" && use !== "dropped";
    // A call within a tool: that tool uses the stand-in where no use is seen.
    uncertain ||= within || isUnseen;
    return { value, standIn: true };
  }

  return {
    hooks(line) {
      let isQuestion = false;
      let reason: string | undefined;
      return {
        ask({ because }) {
          isQuestion = true;
          reason = because;
          return Promise.resolve("allowed");
        },
        instead(call) {
          const { entry } = call;
          if (!isQuestion && (entry.effect === "read" || isSnippet(entry))) return undefined;
          questioned ||= isQuestion;
          return write(call, { line, because: reason });
        },
      };
    },
    used: () => void (uncertain = true),
    plan() {
      const written = calls.filter((each) => each !== undefined);
      const grouped = [...Map.groupBy(written, ({ call }) => call.tool).values()].flat();
      return { calls: grouped, isQuestioned: questioned, uncertain, isCut };
    },
  };
}

function tooLarge(tool: string, mostParts: number): PackError {
  const message = `Cannot plan the call of "${tool}": the calls of the program have over ` +
    `${MOST_CHARACTERS} characters, or over ${mostParts} lists, objects and keys: do less in ` +
    "one run, or raise the limit of these (sandbox.call_mb)";
  return new PackError("too_large", message, { tool });
}
