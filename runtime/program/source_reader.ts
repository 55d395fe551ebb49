/** Reader of programs with the current names and lists, used in the worker and, for small programs,
 * in the gateway. */

import { stripFence } from "../command/fence.ts";
import { parseFunctionCall } from "../command/function_call.ts";
import { NameTable } from "../command/names.ts";
import { loadExpand, MAX_COMMAND } from "../command/translate.ts";
import { TooMuchText } from "../syntax/edits.ts";
import { COMMAND_FILE } from "../syntax/paths.ts";
import { createSecurityPolicy } from "../validate/defaults.ts";
import { ImportUnguarded } from "./import_guard.ts";
import { readScript } from "./read_script.ts";
import { readCommand } from "./read_command.ts";
import type { Knowledge, LiteralCall, ReaderAnswer, Source } from "./types.ts";

const NOTHING: Knowledge = {
  names: { packs: [], aliases: {}, snippets: {}, projects: [] },
  lists: {},
};

/** Runs the work, and throws when it takes too long. */
type Limit = (work: () => ReaderAnswer) => ReaderAnswer;

/** Reads scripts and commands with the knowledge learned last. */
export class SourceReader {
  #names = new NameTable(NOTHING.names);
  #policy = createSecurityPolicy(NOTHING.lists);

  learn({ names, lists }: Knowledge): void {
    this.#names = new NameTable(names);
    this.#policy = createSecurityPolicy(lists);
  }

  /** Reads a program: modules are loaded first, then `limit` bounds all work on its text. */
  async read(source: Source, limit: Limit = (work) => work()): Promise<ReaderAnswer> {
    if (source.kind === "script") {
      return limit(() => orRefused(() => readScript(source, this.#policy), source.file));
    }
    const expand = await loadExpand(source.command);
    const knowledge = { names: this.#names, policy: this.#policy, expand };
    return limit(() => {
      const data = orRefused(() => readCommand(source.command, knowledge), COMMAND_FILE);
      return source.explain ? { ...data, call: onlyCall(source.command) } : data;
    });
  }
}

/** Answer of a reading, or the finding that its program cannot be written out. */
function orRefused(read: () => ReaderAnswer, file: string): ReaderAnswer {
  try {
    return read();
  } catch (error) {
    if (error instanceof ImportUnguarded) {
      const message = "The program cannot be read without its types: write it more plainly";
      const finding = { code: "syntax_error", message, file, line: 1, column: 1 } as const;
      return { kind: "finding", finding };
    }
    if (!(error instanceof TooMuchText)) throw error;
    const message = "Names of the program are too long, and stand in too many places of it, to " +
      "be written out as JavaScript: shorten them";
    return { kind: "finding", finding: { code: "too_large", message, file } };
  }
}

/** The one call with literal arguments that a command is; null for any other command. */
function onlyCall(command: string): LiteralCall | null {
  if (command.length > MAX_COMMAND) return null;
  try {
    const fenced = stripFence(command);
    const call = fenced.kind === "finding" ? null : parseFunctionCall(fenced.text);
    return call && { name: call[0], arguments: call[1] };
  } catch (error) {
    // `readCommand` reports the error.
    if (error instanceof SyntaxError || error instanceof RangeError) return null;
    throw error;
  }
}
