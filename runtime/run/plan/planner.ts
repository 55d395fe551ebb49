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
import type { Sites } from "./sites.ts";
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
  /** Makes the options of one call. */
  hooks(): PlanHooks;
  /** Tells that the program has looked at a stand-in. */
  used(): void;
  plan(): Plan;
}

export interface PlannerDeps {
  readonly standIn: (entry: ToolEntry) => StandIn;
  readonly sites: Sites;
}

/** A call that the code makes, or a tool within. */
interface MadeCall extends PlannedCall {
  readonly entry: ToolEntry;
  readonly within: boolean;
}

/** Characters of the arguments of all calls. */
const MOST_CHARACTERS = 8_388_608;

/** Builds a planner without calls. */
export function createPlanner({ standIn, sites }: PlannerDeps): Planner {
  const calls: MadeCall[] = [];
  let questioned = false;
  let uncertain = false;
  let characters = 0;

  function write(
    { entry, arguments: args, within = false }: InsteadCall,
    reason: Pick<PlannedCall, "because">,
  ): CallResult {
    characters += JSON.stringify(args).length;
    if (characters > MOST_CHARACTERS) throw tooLarge(`${entry.pack}.${entry.tool}`);
    const call = { tool: `${entry.pack}.${entry.tool}`, arguments: args };
    calls.push({ ...call, effect: entry.effect, ...reason, entry, within });
    const { value, kind } = standIn(entry);
    const use = sites.useOf(entry);
    const isUnseen = kind === "open" ? use === "tested" : kind === "plain" && use !== "dropped";
    // A tool gets the stand-in elsewhere, where no use of it is seen.
    uncertain ||= within || isUnseen;
    return { value, standIn: true };
  }

  return {
    hooks() {
      let isQuestion = false;
      let reason: Pick<PlannedCall, "because"> = {};
      return {
        ask({ because }) {
          isQuestion = true;
          if (because !== undefined) reason = { because };
          return Promise.resolve("allowed");
        },
        instead(call) {
          const { entry } = call;
          if (!isQuestion && (entry.effect === "read" || isSnippet(entry))) return undefined;
          questioned ||= isQuestion;
          return write(call, reason);
        },
      };
    },
    used: () => void (uncertain = true),
    plan() {
      const grouped = Map.groupBy(calls, ({ entry }) => entry).values()
        .flatMap((some) => withLines(some, sites)).toArray();
      const isCut = characters > MOST_CHARACTERS;
      return { calls: grouped, isQuestioned: questioned, uncertain, isCut };
    },
  };
}

/** Calls of one tool with the lines of those that the code makes. */
function withLines(calls: readonly MadeCall[], sites: Sites): PlannedCall[] {
  const own = calls.filter(({ within }) => !within);
  const lines = own[0] ? sites.linesOf(own[0].entry, own) : [];
  const lineOf = new Map(own.map((call, at) => [call, lines[at]]));
  return calls.map((made) => {
    const { entry: _entry, within: _within, ...call } = made;
    const line = lineOf.get(made);
    return line === undefined ? call : { ...call, line };
  });
}

function tooLarge(tool: string): PackError {
  const message = `Cannot plan the call of "${tool}": the calls of the program have over ` +
    `${MOST_CHARACTERS} characters: do less in one run`;
  return new PackError("blocked", message, { tool });
}
