/** The stage of planning: a program runs once with its calls written down, before it runs for real. */

import type { ToolEntry } from "#packs";
import { convertSchema } from "../../types/convert.ts";
import type { Converted } from "../../types/ir.ts";
import { type ExecuteDeps, executePlanned, type PlannedExecution } from "../execute.ts";
import { openRecord } from "../record.ts";
import type { Stage } from "../stage.ts";
import { explainOutcome } from "../problem/problem.ts";
import { createPlanner, type Plan } from "./planner.ts";
import { standInOf } from "./stand_in.ts";
import { createToolUse } from "./tool_use.ts";

export interface MadePlan extends Plan {
  /** Reason why the program failed while it was planned. */
  readonly failure?: string;
  /** Calls that the planning made. */
  readonly made: PlannedExecution["calls"];
}

const CUT = "The program would call more than a plan can hold";
/** Bytes of the arguments of one call for each list, object or key of a plan, as for a call itself. */
const BYTES_OF_PART = 10;

/** Plans a program. What it prints and returns is dropped: it was made with stand-ins. */
export async function makePlan(stage: Stage, deps: ExecuteDeps): Promise<MadePlan> {
  const { program } = stage;
  const planner = createPlanner({
    standIn: (entry) => standInOf(typeOf(entry, deps)),
    useOf: createToolUse(program),
    keeper: stage.keeper,
    mostParts: Math.floor(deps.settings().callBytes / BYTES_OF_PART),
    signal: stage.signal,
  });
  const record = openRecord(stage.record, { now: deps.now });
  const { outcome, calls: made } = await executePlanned({ ...stage, record }, { ...deps, planner });
  const hasEnded = outcome.kind === "value" || outcome.kind === "nothing";
  const plan = planner.plan();
  const failure = hasEnded ? plan.isCut ? CUT : undefined : explainOutcome(outcome, program).text;
  return { ...plan, made, ...(failure === undefined ? {} : { failure }) };
}

/** Type of a result: its schema, else as it was learned, with every field that was seen. */
function typeOf(entry: ToolEntry, { shapes }: ExecuteDeps): Converted | undefined {
  const { outputSchema } = entry.spec;
  return outputSchema ? convertSchema(outputSchema) : shapes.resultOf(entry)?.check;
}
