import assert from "node:assert/strict";
import { expandCalls } from "../../../runtime/command/snippet/expand_calls.ts";
import { readCommand } from "../../../runtime/program/read_command.ts";
import { createSecurityPolicy } from "../../../runtime/validate/mod.ts";
import { HOSTILE_COMMANDS } from "../../support/hostile_commands.ts";
import { TABLE } from "./names.ts";

const SMALL = 5_000;
const TIMES_LARGER = 4;
/** Halfway between what grows with the size, 4, and what grows with its square, 16. */
const TIMES_LONGER = 10;
/** Below this the machine measures itself. */
const SPARE_MS = 100;
/** A machine that has other things to do gets another chance. */
const ATTEMPTS = 5;

const knowledge = { names: TABLE, policy: createSecurityPolicy(), expand: expandCalls };

function timeOf(command: string): number {
  const since = performance.now();
  readCommand(command, knowledge);
  return performance.now() - since;
}

Deno.test("the work of reading a command is proportional to its length", async (t) => {
  for (const { name, command } of HOSTILE_COMMANDS) {
    await t.step(name, () => {
      const [small, large] = [command(SMALL), command(SMALL * TIMES_LARGER)];
      const tried: string[] = [];
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        const [short, long] = [timeOf(small), timeOf(large)];
        if (long <= short * TIMES_LONGER + SPARE_MS) return;
        tried.push(`${short.toFixed(0)} → ${long.toFixed(0)} ms`);
      }
      assert.fail(`a command ${TIMES_LARGER} times as long took ${tried.join(", ")}`);
    });
  }
});

Deno.test("a list with more members than a call can have arguments is read", () => {
  const read = readCommand(`f(${"a=1,".repeat(130_000)})`, knowledge);
  assert.match(read.kind === "finding" ? read.finding.message : "", /^Cannot call "f"/);
});
