/** Expressions of rules (CEL): checked when they are read, bounded when they run. */

import { type ASTNode, Environment } from "@marcbachmann/cel-js";
import { isObject, processorMs } from "#base";
import { bounded, isTimeout } from "#base/bounded";
import type { When } from "./call_rules.ts";

/** Evaluations of an expression that had no processor, and the time on one from which it had. */
const MOST_TRIES = 3;
const WORKED_MS = 50;
/** Time after which an expression is ended: functions and loops have no bound of their own. Most
 * of it is the margin of `bounded`. */
const LIMIT_MS = 100;
const MOST_CHARACTERS = 4_096;
/** Functions whose time or result is a product of both texts, and that nothing ends meanwhile. */
const PRODUCTS: readonly unknown[] = ["join", "lastIndexOf"];
/** Characters of the text that such a function takes. */
const MOST_PRODUCT = 32;
/** Operations and functions whose time is no more than that of their arguments, and how many of them
 * an expression has that needs no limit. */
const PLAIN = [
  "value",
  "id",
  ".",
  "[]",
  "list",
  "<",
  "<=",
  ">",
  ">=",
  "&&",
  "||",
  "!_",
  "-_",
  "?:",
];
/** Operations that compare lists and objects whole: plain beside a literal. */
const COMPARING = ["==", "!=", "in"];
const PLAIN_FUNCTIONS: readonly unknown[] = ["has", "size", "startsWith", "endsWith"];
const MOST_PLAIN = 100;
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

/** Compiles an expression. It throws after 0.1 s, and where its evaluation fails. */
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
    const product = productIn(run.ast);
    if (product) return product;
    const evaluate: When = (facts) => run({ ...facts });
    if (isPlain(run.ast)) return evaluate;
    return timed((facts) => bounded(() => evaluate(facts), LIMIT_MS));
  } catch (error) {
    return problemOf(error);
  }
}

/** Finds a function whose time the arguments of a call could multiply. */
function productIn({ op, args }: ASTNode): WhenProblem | undefined {
  const parts: readonly unknown[] = [args].flat(Infinity);
  const nodes = parts.filter(isNode);
  if (op === "rcall" && PRODUCTS.includes(parts[0])) {
    const text = nodes[1];
    const isShort = typeof text?.args === "string" && text.args.length <= MOST_PRODUCT;
    if (text && !(text.op === "value" && isShort)) {
      const message = `"${parts[0]}" takes a text of at most ${MOST_PRODUCT} characters in quotes`;
      return { message, at: text.start };
    }
  }
  return nodes.map(productIn).find((problem) => problem !== undefined);
}

/** True for an expression that takes no time worth a limit: on a busy machine a limit can strike what
 * takes none. */
export function isPlain(ast: ASTNode): boolean {
  const waiting = [ast];
  for (let count = 0; count < waiting.length; count++) {
    const { op, args } = waiting[count] as ASTNode;
    const parts: readonly unknown[] = [args].flat(Infinity);
    const isFunction = op === "call" || op === "rcall";
    const nodes = op === "value" ? [] : parts.filter(isNode);
    const isShort = isFunction
      ? PLAIN_FUNCTIONS.includes(parts[0])
      : COMPARING.includes(op)
      ? nodes.some(isLiteral)
      : PLAIN.includes(op);
    if (!isShort || count >= MOST_PLAIN) return false;
    waiting.push(...nodes);
  }
  return true;
}

/** A value, a negative one, or a list of values. */
function isLiteral({ op, args }: ASTNode): boolean {
  if (op === "-_") return isLiteral(args as ASTNode);
  return op === "value" || op === "list" && (args as readonly ASTNode[]).every(isLiteral);
}

function isNode(part: unknown): part is ASTNode {
  return isObject(part) && "op" in part;
}

/** Makes an evaluation that throws where it was ended. Only one that had no processor, which other work
 * of the machine had, is tried again. */
function timed(evaluate: When): When {
  return (facts) => {
    for (let tries = 1;; tries++) {
      const before = processorMs();
      try {
        return evaluate(facts);
      } catch (error) {
        if (!isTimeout(error)) throw error;
        const hasWorked = processorMs() - before >= WORKED_MS;
        if (hasWorked || tries === MOST_TRIES) {
          throw new Error(`It took longer than ${LIMIT_MS} ms`);
        }
      }
    }
  };
}

function problemOf(error: unknown): WhenProblem {
  const { summary, message, range } = error as {
    readonly summary?: string;
    readonly message?: string;
    readonly range?: { readonly start: number };
  };
  return { message: summary ?? message ?? String(error), at: range?.start ?? 0 };
}
