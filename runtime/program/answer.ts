/** Reads a program with what is known by now: what the worker does, and the gateway for small ones. */

import { NameTable } from "../command/names.ts";
import { loadExpand } from "../command/read_command.ts";
import { createSecurityPolicy } from "../validate/defaults.ts";
import { readProgram } from "./read.ts";
import { readCommandProgram } from "./read_command.ts";
import type { Knowledge, ReadData, Source } from "./types.ts";

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
    return limit(() => readCommandProgram(source.command, knowledge));
  }
}
