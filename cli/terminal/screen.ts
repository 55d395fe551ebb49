/** Output at the terminal: nothing is written there while a question waits for its answer. */

import { endsLine, RESET } from "./escapes.ts";
import type { Person } from "./person.ts";
import type { Sink } from "./sink.ts";

export interface Screen {
  readonly stdout: Sink;
  readonly stderr: Sink;
  /** Shows a question on a fresh line, in plain colors and modes, and reads the line that answers it;
   * null at the end of input, or once `signal` is aborted. */
  ask(question: TerminalQuestion, options: AskOptions): Promise<string | null>;
  /** Keeps all output but questions until `work` has ended. */
  holding<T>(work: () => Promise<T>): Promise<T>;
}

export interface TerminalQuestion {
  /** Writes what is asked, in rows of so many columns. */
  readonly text: (columns: number) => string;
  /** Words of ours, behind which the answer is typed: they say by themselves what a yes allows. */
  readonly prompt: string;
}

export interface AskOptions {
  readonly person: Person;
  readonly signal?: AbortSignal;
  /** True for a field of a form, whose length and rhythm a server chooses. */
  readonly isField?: boolean;
}

interface Written {
  readonly sink: Sink;
  readonly data: Uint8Array;
}

/** Bytes that are kept, more than the output of a run by default; further ones are dropped. */
const MOST_KEPT = 8 * 1024 * 1024;
/** Bytes that a piece takes beside its own. */
const PIECE = 128;
const TAKEN_BACK = "The question above was taken back.";

/** Builds the screen over the two streams. Both are held, as a pipe may lead to the terminal, too. */
export function createScreen(sinks: Record<"stdout" | "stderr", Sink>): Screen {
  const { stdout, stderr } = sinks;
  const encoder = new TextEncoder();
  let holds = 0;
  let kept: Written[] = [];
  let size = 0;
  let dropped = 0;
  let isFresh = true;
  /** True if the last question was taken back: an answer to it may still be typed. */
  let isUnanswered = false;
  /** True if the last question was a field: an answer to a further one may still be typed. */
  let wasField = false;

  async function send({ sink, data }: Written): Promise<void> {
    if (data.length > 0 && (sink === stderr || sink.isTerminal)) isFresh = endsLine(data);
    await sink.write(data);
  }

  async function take(written: Written): Promise<void> {
    if (holds === 0) return await send(written);
    const { data } = written;
    size += data.length + PIECE;
    if (size > MOST_KEPT) dropped += data.length;
    else kept.push({ ...written, data: data.slice() });
  }

  async function release(): Promise<void> {
    const note = `Warning: ${dropped} bytes of output were dropped: they came during a question\n`;
    const pieces = dropped > 0 ? [...kept, { sink: stderr, data: encoder.encode(note) }] : kept;
    [kept, size, dropped] = [[], 0, 0];
    // Begun together: what is written from now on comes after.
    await Promise.all(pieces.map(send));
  }

  async function holding<T>(work: () => Promise<T>): Promise<T> {
    holds++;
    try {
      return await work();
    } finally {
      if (--holds === 0) await release();
    }
  }

  const say = (text: string) => send({ sink: stderr, data: encoder.encode(text) });
  const held = (sink: Sink): Sink => ({
    isTerminal: sink.isTerminal,
    isPipe: sink.isPipe,
    get columns() {
      return sink.columns;
    },
    write: (data) => take({ sink, data }),
  });

  return {
    stdout: held(stdout),
    stderr: held(stderr),
    holding,
    ask: (question, { person, signal, isField = false }) =>
      holding(async () => {
        // What is typed before all output is there was not typed for this question.
        await Promise.all([stdout, stderr].map((sink) => sink.write(new Uint8Array())));
        if (signal?.aborted) return null;
        person.forget();
        await say(
          `${isFresh ? "" : "\n"}${stderr.isTerminal ? RESET : ""}${questionFor(question, person)}`,
        );
        if (isUnanswered || (wasField && !isField)) await person.settle(signal);
        const line = await person.readLine(signal);
        if (line === null) await say(signal?.aborted ? `\n${TAKEN_BACK}\n` : "\n");
        isFresh = true;
        isUnanswered = line === null && signal?.aborted === true;
        wasField = isField;
        return line;
      }),
  };
}

/** The question as it fits the terminal. What does not is told beside the prompt, which stays in
 * sight. */
function questionFor({ text, prompt }: TerminalQuestion, person: Person): string {
  const { columns, rows } = person.size();
  // A terminal may break a line that fills its last column.
  const whole = text(columns - 1);
  const count = whole.split("\n").length;
  const below = prompt.split("\n").map((line) => Math.ceil(line.length / columns))
    .reduce((sum, rows) => sum + rows);
  const note = `These are ${count} rows, more than fit here: scroll up to the first.\n`;
  return `${whole}\n${count + below > rows ? note : ""}${prompt}`;
}
