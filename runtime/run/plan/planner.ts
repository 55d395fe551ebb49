/** Planner: makes the calls of a program that read, and writes the others down. */

import {
  type CallOptions,
  type CallResult,
  type InsteadCall,
  isSnippet,
  PackError,
  type ToolEntry,
} from "#packs";
import type { PlannedCall } from "../../inbox/mod.ts";
import type { ToolCallPlace } from "../../program/types.ts";
import type { StandIn } from "./stand_in.ts";

/** Calls that a program would make. */
export interface Plan {
  /** Grouped by tool, in the order of their first calls. */
  readonly calls: readonly PlannedCall[];
  /** True where a person must be asked about one of them. */
  readonly isQuestioned: boolean;
  /** True where a later call may depend on the result of one that was not made. */
  readonly uncertain: boolean;
  /** True where more would be called than a plan can hold. */
  readonly isCut: boolean;
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
}

/** Characters of the arguments of all calls. */
const MOST_CHARACTERS = 8_388_608;

/** Builds a planner without calls. */
export function createPlanner({ standIn, useOf }: PlannerDeps): Planner {
  const calls: PlannedCall[] = [];
  let questioned = false;
  let uncertain = false;
  let characters = 0;

  function write(
    { entry, arguments: args, within = false }: InsteadCall,
    { line, because }: Pick<PlannedCall, "line" | "because">,
  ): CallResult {
    characters += JSON.stringify(args).length;
    if (characters > MOST_CHARACTERS) throw tooLarge(`${entry.pack}.${entry.tool}`);
    const call = { tool: `${entry.pack}.${entry.tool}`, arguments: args };
    const place = line === undefined || within ? {} : { line };
    const reason = because === undefined ? {} : { because };
    calls.push({ ...call, ...place, effect: entry.effect, ...reason });
    const use = useOf(entry);
    const { value, kind } = standIn(entry);
    const isUnseen = kind === "open" ? use === "tested" : kind === "plain" && use !== "dropped";
    // A tool gets the stand-in elsewhere, where no use of it is seen.
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
      const grouped = [...Map.groupBy(calls, ({ tool }) => tool).values()].flat();
      const isCut = characters > MOST_CHARACTERS;
      return { calls: grouped, isQuestioned: questioned, uncertain, isCut };
    },
  };
}

function tooLarge(tool: string): PackError {
  const message = `Cannot plan the call of "${tool}": the calls of the program have over ` +
    `${MOST_CHARACTERS} characters: do less in one run`;
  return new PackError("blocked", message, { tool });
}
