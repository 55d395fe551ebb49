/** Expressions of rules (CEL): checked when they are read, bounded when they run. */

import { Environment } from "@marcbachmann/cel-js";
import { bounded, isTimeout } from "#base/bounded";
import type { RuleFacts, When } from "./call_rules.ts";

const MOST_MS = 5;
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

/** Compiles an expression. It throws after 5 ms twice, and where its evaluation fails. */
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
      const evaluate = () => bounded(() => run({ ...facts }) as unknown, MOST_MS);
      try {
        return evaluate();
      } catch (error) {
        // Another process may have had the processor: what only waited gets a second chance.
        if (!isTimeout(error)) throw error;
        return evaluate();
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
