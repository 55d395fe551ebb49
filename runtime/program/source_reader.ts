/** Reads a program with what is known by now: what the worker does, and the gateway for small ones. */

import { stripFence } from "../command/fence.ts";
import { parseFunctionCall } from "../command/function_call.ts";
import { NameTable } from "../command/names.ts";
import { loadExpand, MAX_COMMAND } from "../command/translate.ts";
import { createSecurityPolicy } from "../validate/defaults.ts";
import { readProgram } from "./read_script.ts";
import { readCommandProgram } from "./read_command.ts";
import type { Knowledge, NamedCall, ReadData, Source } from "./types.ts";

const NOTHING: Knowledge = {
  names: { packs: [], aliases: {}, snippets: {}, projects: [] },
  lists: {},
};

/** Does the work, and throws where it takes too long. */
type Limit = (work: () => ReadData) => ReadData;

/** Answers what a program is, until it learns more. */
export class Answerer {
  #names = new NameTable(NOTHING.names);
  #policy = createSecurityPolicy(NOTHING.lists);

  learn({ names, lists }: Knowledge): void {
    this.#names = new NameTable(names);
    this.#policy = createSecurityPolicy(lists);
  }

  /** All that depends on the program's text is done within `limit`, once everything is loaded. */
  async answer(source: Source, limit: Limit = (work) => work()): Promise<ReadData> {
    if (source.kind === "script") return limit(() => readProgram(source, this.#policy));
    const expand = await loadExpand(source.command);
    const knowledge = { names: this.#names, policy: this.#policy, expand };
    return limit(() => {
      const data = readCommandProgram(source.command, knowledge);
      return source.explain ? { ...data, call: onlyCall(source.command) } : data;
    });
  }
}

/** The call that a command is; null where it must be run to be known. */
function onlyCall(command: string): NamedCall | null {
  if (command.length > MAX_COMMAND) return null;
  try {
    const fenced = stripFence(command);
    const call = fenced.kind === "finding" ? null : parseFunctionCall(fenced.text);
    return call && { name: call[0], arguments: call[1] };
  } catch (error) {
    // The reading itself says what is wrong with the command.
    if (error instanceof SyntaxError || error instanceof RangeError) return null;
    throw error;
  }
}
