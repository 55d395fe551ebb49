/** Questions to a person about the calls of one run, as they are made: one at a time. */

import { type CallOptions, type CallQuestion, PackError } from "#packs";
import { type Approvals, namesOf } from "./approvals.ts";
import type { Ask, Question } from "./types.ts";
import { untilAborted } from "./until_aborted.ts";

type Verdict = Awaited<ReturnType<NonNullable<CallOptions["ask"]>>>;

export interface Asking {
  /** Whether a call may be made; the run's clock stands still while a person is asked. */
  ask(call: CallQuestion, signal: AbortSignal): Promise<Verdict>;
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

  /** A tool may have been approved for the whole run while this call waited for its turn. */
  async function askNow(call: CallQuestion, ask: Ask, signal: AbortSignal): Promise<Verdict> {
    if (signal.aborted) throw ended(call);
    if (approvals.isWidened(namesOf(call.entry))) return "allowed";
    const answer = await untilAborted(ask(questionOf(call), signal), {
      signal,
      reason: () => ended(call),
    });
    if (answer === "run") approvals.widen(call.tool);
    return answer === "call" || answer === "run" ? "allowed" : "declined";
  }

  function questionOf({ tool, arguments: args, entry }: CallQuestion): Question {
    const line = approvals.lineOf(entry);
    return { tool, arguments: args, ...(line === undefined ? {} : { line }) };
  }

  return {
    unconfirmed: () => unconfirmed,
    async ask(call, signal) {
      if (approvals.cover(call)) return "allowed";
      if (!person) {
        note(questionOf(call));
        return "nobody";
      }
      const resume = pause();
      try {
        const answered = turn.then(() => askNow(call, person, signal));
        turn = answered.catch(() => {}); // whoever asked is told
        return await untilAborted(answered, { signal, reason: () => ended(call) });
      } finally {
        resume();
      }
    },
  };
}

function ended({ tool }: CallQuestion): PackError {
  return new PackError("cancelled", `Cannot call "${tool}": the run has ended`, { tool });
}
