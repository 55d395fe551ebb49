/** Reads a program with what is known by now: what the worker does, and the gateway for small ones. */

import { NameTable } from "../command/names.ts";
import { createSecurityPolicy } from "../validate/defaults.ts";
import { readProgram } from "./read.ts";
import { readCommandProgram } from "./read_command.ts";
import type { Knowledge, ReadData, Source } from "./types.ts";

const NOTHING: Knowledge = {
  names: { packs: [], aliases: {}, snippets: {}, projects: [] },
  lists: {},
};

/** Answers what a program is, until it learns more. */
export class Answerer {
  #names = new NameTable(NOTHING.names);
  #policy = createSecurityPolicy(NOTHING.lists);

  learn({ names, lists }: Knowledge): void {
    this.#names = new NameTable(names);
    this.#policy = createSecurityPolicy(lists);
  }

  async answer(source: Source): Promise<ReadData> {
    if (source.kind === "script") return readProgram(source, this.#policy);
    const knowledge = { names: this.#names, policy: this.#policy };
    return await readCommandProgram(source.command, knowledge);
  }
}
