/** Questions to a person about the calls of one run, as they are made: one at a time. */

import { type CallOptions, type CallQuestion, PackError } from "#packs";
import { type Approvals, namesOf } from "./approvals.ts";
import type { Answer, Ask, Question } from "./types.ts";
import { untilAborted } from "./until_aborted.ts";

type Verdict = Awaited<ReturnType<NonNullable<CallOptions["ask"]>>>;

export interface Asking {
  /** Whether a call may be made; the run's clock stands still while a person is asked. */
  ask(call: CallQuestion, signal: AbortSignal): Promise<Verdict>;
  /** The same for what code shows that a called tool runs. Throws `PackError` where nobody can be
   * asked. */
  readonly askWithin: Ask;
  /** Waits until nothing else is asked, then asks; `subject` is what the question is about. */
  inTurn<T>(subject: string, signal: AbortSignal, ask: () => Promise<T>): Promise<T>;
  /** The calls that nobody could be asked about; of very many, the first. */
  unconfirmed(): readonly Question[];
}

export interface AskingDeps {
  readonly approvals: Approvals;
  /** Missing where nobody can be asked. */
  readonly person?: Ask;
  /** Stops the run's clock; the returned function starts it again. */
  readonly pause: () => () => void;
}

const MOST_UNCONFIRMED = 100;
const MOST_CHARACTERS = 1024 * 1024;

/** Builds what answers the registry's question for one run. */
export function createAsking({ approvals, person, pause }: AskingDeps): Asking {
  const unconfirmed: Question[] = [];
  let characters = 0;
  let turn: Promise<unknown> = Promise.resolve();

  function note(question: Question): void {
    characters += JSON.stringify(question.arguments).length;
    if (unconfirmed.length >= MOST_UNCONFIRMED || characters > MOST_CHARACTERS) return;
    unconfirmed.push(question);
  }

  function questionOf({ tool, arguments: args, entry }: CallQuestion): Question {
    const line = approvals.lineOf(entry);
    return { tool, arguments: args, ...(line === undefined ? {} : { line }) };
  }

  /** One question after the other, with the clock stopped. */
  async function inTurn<T>(tool: string, signal: AbortSignal, work: () => Promise<T>) {
    const reason = () => {
      return new PackError("cancelled", `Cannot call "${tool}": the run has ended`, { tool });
    };
    const resume = pause();
    try {
      const answered = turn.then(() => {
        if (signal.aborted) throw reason();
        return untilAborted(work(), { signal, reason });
      });
      turn = answered.catch(() => {}); // whoever asked is told
      return await untilAborted(answered, { signal, reason });
    } finally {
      resume();
    }
  }

  /** A tool may have been approved for the whole run while this call waited for its turn. */
  async function verdict(call: CallQuestion, ask: () => Promise<Answer>): Promise<Verdict> {
    if (approvals.isWidened(namesOf(call.entry))) return "allowed";
    const answer = await ask();
    if (answer === "run") approvals.widen(call.tool);
    return answer === "call" || answer === "run" ? "allowed" : "declined";
  }

  return {
    inTurn,
    unconfirmed: () => unconfirmed,
    async ask(call, signal) {
      if (approvals.cover(call)) return "allowed";
      const question = questionOf(call);
      if (person) {
        const ask = () => person(question, signal);
        return await inTurn(call.tool, signal, () => verdict(call, ask));
      }
      note(question);
      return "nobody";
    },
    async askWithin(question, signal) {
      if (approvals.coverWithin(question)) return "call";
      if (person) return await inTurn(question.tool, signal, () => person(question, signal));
      note(question);
      const { tool } = question;
      throw new PackError(
        "needs_confirmation",
        `Cannot call "${tool}": it needs confirmation and nobody can be asked here: confirm it ` +
          "beforehand, or take its pattern out of security.ask in the config",
        { tool },
      );
    },
  };
}
