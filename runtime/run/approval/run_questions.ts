/** Questions to a person about the calls of one run, as they are made: one at a time. */

import { abortable } from "#base";
import {
  type CallOptions,
  type CallQuestion,
  type InsteadCall,
  PackError,
  stopAsking,
  unconfirmedState,
} from "#packs";
import type { Approvals } from "./approvals.ts";
import type { Answer, Ask, Question } from "../types.ts";

type Verdict = Awaited<ReturnType<NonNullable<CallOptions["ask"]>>>;

export interface AskOptions {
  readonly signal: AbortSignal;
  /** True if a tool makes the call, not the program itself. */
  readonly within?: boolean;
}

export interface RunQuestions {
  /** Makes the options of one call that decide about it. */
  hooks(options: AskOptions): Required<Pick<CallOptions, "ask" | "instead" | "insteadWithin">>;
  /** Decides if a call may be made; the run's clock stops while a person is asked. */
  ask(call: CallQuestion, options: AskOptions): Promise<Verdict>;
  /** Asks about a call of code that a called tool runs. Throws `PackError` where no person can
   * be asked. */
  readonly askWithin: Ask;
  /** Asks after all earlier questions are answered; `subject` names the subject of the question. */
  inTurn<T>(subject: string, signal: AbortSignal, ask: () => Promise<T>): Promise<T>;
  /** The call that ended the run because no person could be asked about it. */
  unconfirmed(): Unconfirmed | undefined;
}

export interface Unconfirmed {
  readonly question: Question;
  readonly pattern?: string;
  /** Rule that asks. */
  readonly rule?: number;
}

export interface RunQuestionsDeps {
  readonly approvals: Approvals;
  /** Missing where no person can be asked. */
  readonly person?: Ask;
  /** Refuses what was left out in the run around this one. */
  readonly outer?: CallOptions["insteadWithin"];
  /** Stops the run's clock; the returned function starts it again. */
  readonly pause: () => () => void;
  /** Ends the run: no person can be asked about one of its calls. */
  readonly end: () => void;
}

/** Creates the questions of one run; its `ask` is the registry's hook. */
export function createRunQuestions(
  { approvals, person, outer, pause, end }: RunQuestionsDeps,
): RunQuestions {
  let unconfirmed: Unconfirmed | undefined;
  let turn: Promise<unknown> = Promise.resolve();

  function giveUp(call: Unconfirmed): void {
    unconfirmed ??= call;
    end();
  }

  /** Finds what was decided about a call before. */
  async function decision(call: Question, signal: AbortSignal): ReturnType<Approvals["take"]> {
    try {
      return await approvals.take(call, signal);
    } catch (error) {
      throw signal.aborted ? hasEnded(call.tool) : error;
    }
  }

  /** Asks when the questions before are answered, with the clock stopped. */
  async function inTurn<T>(tool: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const reason = () => hasEnded(tool);
    const resume = pause();
    try {
      const answered = turn.then(() => {
        if (signal.aborted) throw reason();
        return abortable(work(), signal, { onAbort: reason });
      });
      turn = answered.catch(() => {}); // the caller gets the error
      return await abortable(answered, signal, { onAbort: reason });
    } finally {
      resume();
    }
  }

  /** A tool may have been approved for the whole run while this call waited for its turn. */
  async function askPerson(question: Question, signal: AbortSignal): Promise<Answer> {
    if (!person) throw unanswerable(question);
    return await inTurn(question.tool, signal, async () => {
      if (approvals.isWidened(question.tool)) return "call";
      const answer = await person(question, signal);
      if (answer === "run") approvals.widen(question.tool);
      return answer;
    });
  }

  async function ask(
    { tool, arguments: args, pattern, rule, because }: CallQuestion,
    { signal, within = false }: AskOptions,
  ): Promise<Verdict> {
    const line = within ? undefined : approvals.lineOf(tool);
    const question = {
      tool,
      arguments: args,
      ...(line === undefined ? {} : { line }),
      ...(because === undefined ? {} : { because }),
    };
    const decided = await decision(question, signal);
    if (decided !== undefined) return decided === "approved" ? "allowed" : "declined";
    try {
      return await askPerson(question, signal) === "no" ? "declined" : "allowed";
    } catch (error) {
      const about = { pattern, ...(rule === undefined ? {} : { rule }) };
      if (!isUnanswerable(error)) throw withRule(error, about);
      giveUp({ question, ...about });
      return "unanswerable";
    }
  }

  return {
    inTurn,
    unconfirmed: () => unconfirmed,
    ask,
    hooks(options) {
      let isAsked = false;
      const insteadWithin: RunQuestionsDeps["outer"] = outer ??
        ((call) => refuseLeftOut(call, { approvals, decision, ...options }));
      return {
        ask(question) {
          isAsked = true;
          return ask(question, options);
        },
        instead: (call) => isAsked ? undefined : insteadWithin(call),
        insteadWithin,
      };
    },
    async askWithin(question, signal) {
      const decided = await decision(question, signal);
      if (decided !== undefined) return decided === "approved" ? "call" : "no";
      try {
        return await askPerson(question, signal);
      } catch (error) {
        if (isUnanswerable(error)) giveUp({ question });
        throw error;
      }
    },
  };
}

interface LeftOutOptions extends AskOptions {
  readonly approvals: Approvals;
  readonly decision: (
    call: Question,
    signal: AbortSignal,
  ) => ReturnType<Approvals["take"]>;
}

/** Refuses a call that needs no question, and that was left out when others were approved. */
async function refuseLeftOut(
  call: InsteadCall,
  { approvals, decision, signal }: LeftOutOptions,
): Promise<undefined> {
  if (!approvals.hasLeftOut()) return;
  const tool = `${call.entry.pack}.${call.entry.tool}`;
  if (await decision({ tool, arguments: call.arguments }, signal) !== "left out") return;
  const message = `Cannot call "${tool}": it was declined: do without it, or explain why it is ` +
    "needed before it is asked for again";
  throw new PackError("blocked", message, { tool, details: { reason: "declined" } });
}

/** Adds to the refusal of a call which rule or list it is about. */
function withRule(error: unknown, about: Omit<Unconfirmed, "question">): unknown {
  if (!(error instanceof PackError) || error.code !== "blocked") return error;
  const { code, message, tool, details } = error;
  return new PackError(code, message, { tool, cause: error, details: { ...details, ...about } });
}

function hasEnded(tool: string): PackError {
  return new PackError("cancelled", `Cannot call "${tool}": the run has ended`, { tool });
}

function isUnanswerable(error: unknown): boolean {
  return error instanceof PackError && error.code === "needs_confirmation";
}

function unanswerable({ tool }: Question): PackError {
  return new PackError(
    "needs_confirmation",
    `Cannot call "${tool}": ${unconfirmedState([])}: confirm it beforehand, or ${stopAsking()}`,
    { tool },
  );
}
