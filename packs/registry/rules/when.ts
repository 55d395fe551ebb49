/** Expressions of rules (CEL): checked when they are read, bounded when they run. */

import { cpuUsage } from "node:process";
import { Environment } from "@marcbachmann/cel-js";
import { bounded, isTimeout } from "#base/bounded";
import type { RuleFacts, When } from "./call_rules.ts";

const MOST_MS = 5;
/** Evaluations of an expression that had no processor, and the time on one above which it had. */
const MOST_TRIES = 5;
const WORKED_US = 2_500;
const MOST_CHARACTERS = 4_096;
const LIMITS = {
  maxAstNodes: 2_000,
  maxDepth: 64,
  maxListElements: 1_000,
  maxMapEntries: 1_000,
  maxCallArguments: 16,
};
const TEXTS = ["tool", "server", "effect", "client", "project"] as const;

/** An expression that is wrong: why, and the character where it is, from 0. */
export interface WhenProblem {
  readonly message: string;
  readonly at: number;
}

/** Compiles an expression. It throws after 5 ms, twice at least, and where its evaluation fails. */
export function compileWhen(text: string): When | WhenProblem {
  if (text.length > MOST_CHARACTERS) {
    return { message: `it has over ${MOST_CHARACTERS} characters`, at: 0 };
  }
  const environment = TEXTS.reduce(
    (all, name) => all.registerVariable(name, "string"),
    new Environment({ homogeneousAggregateLiterals: false, limits: LIMITS })
      .registerVariable("args", "dyn"),
  );
  try {
    const run = environment.parse(text);
    const { error, type } = run.check();
    if (error) return problemOf(error);
    if (type !== "bool" && type !== "dyn") {
      return { message: `it gives ${type}, and must give true or false`, at: 0 };
    }
    return (facts: RuleFacts) => {
      for (let tries = 1;; tries++) {
        const before = cpuUsage();
        try {
          return bounded(() => run({ ...facts }) as unknown, MOST_MS);
        } catch (error) {
          const { user, system } = cpuUsage(before);
          const hasWaited = tries === 1 || user + system < WORKED_US;
          // Other processes had the processor meanwhile.
          if (!isTimeout(error) || !hasWaited || tries === MOST_TRIES) throw error;
        }
      }
    };
  } catch (error) {
    return problemOf(error);
  }
}

function problemOf(error: unknown): WhenProblem {
  const { summary, message, range } = error as {
    readonly summary?: string;
    readonly message?: string;
    readonly range?: { readonly start: number };
  };
  return { message: summary ?? message ?? String(error), at: range?.start ?? 0 };
}
