/** Checks of the sandbox by real programs: a correct one, and one that the type checker must refuse. */

import { isObject, messageOf } from "#base";
import type { Client } from "../client.ts";
import { bad, type Finding, good } from "./types.ts";

const RIGHT = { script: "export default 1 + 1;", file: "right.ts" };
/** Number of runs: the first ones include start-up, the fastest shows the cost of a run. */
const TIMES = 5;
const WRONG = { script: 'const wrong: number = "text";\nexport default wrong;', file: "wrong.ts" };

export async function checkRuns(
  client: Client,
  { signal }: { readonly signal: AbortSignal },
): Promise<Finding[]> {
  try {
    const right = [];
    for (let time = 0; time < TIMES; time++) right.push(await run(client, RIGHT, signal));
    const wrong = await run(client, WRONG, signal);
    const health = await run(client, { command: "ot.health()", format: "json" }, signal);
    return [runFinding(right), checkerFinding(wrong, health)];
  } catch (error) {
    const message = signal.aborted ? "No program finished in time" : messageOf(error);
    return [bad("sandbox", message, "Raise --timeout; see details with --verbose")];
  }
}

async function run(client: Client, request: object, signal: AbortSignal) {
  const answer: unknown = await (await client.post("/run", request, { signal })).json();
  return isObject(answer) ? answer : {};
}

function runFinding(answers: readonly Record<string, unknown>[]): Finding {
  const wrong = answers.find(({ ok, value }) => ok !== true || value !== 2);
  if (wrong) return bad("sandbox", `A program cannot be run: ${String(wrong.text)}`);
  const ms = Math.min(...answers.map((answer) => Number(answer.ms)));
  return good("sandbox", `1 + 1 is 2, in ${Math.round(ms)} ms`);
}

function checkerFinding(
  { error, warnings }: Record<string, unknown>,
  { value }: Record<string, unknown>,
): Finding {
  const version = isObject(value) ? `TypeScript ${String(value.typescript)}` : "TypeScript";
  if (isObject(error) && error.code === "type_error") {
    return good("type checker", `${version} refuses a wrong program`);
  }
  const reason = Array.isArray(warnings) && warnings.length > 0 ? `: ${String(warnings[0])}` : "";
  const fix = "Programs run unchecked: set sandbox.check to strict to refuse them";
  return bad("type checker", `${version} accepted a wrong program${reason}`, fix);
}
