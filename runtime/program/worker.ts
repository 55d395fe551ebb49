/** Reads programs in a worker, so that none of them can hold up the event loop. */

/// <reference lib="webworker" />
import { NameTable } from "../command/names.ts";
import { createSecurityPolicy } from "../validate/defaults.ts";
import { readProgram } from "./read.ts";
import { readCommandProgram } from "./read_command.ts";
import type { Knowledge, ReadData, Source } from "./types.ts";

/** What a reader sends: what is known from now on, or a program to read. */
export type Question = ({ readonly kind: "knowledge" } & Knowledge) | Source;

let names = new NameTable({ packs: [], aliases: {}, snippets: {}, projects: [] });
let policy = createSecurityPolicy();

async function answer(source: Source): Promise<ReadData> {
  if (source.kind === "script") return readProgram(source, policy);
  return await readCommandProgram(source.command, { names, policy });
}

addEventListener("message", async ({ data }: MessageEvent<Question>) => {
  if (data.kind !== "knowledge") return postMessage(await answer(data));
  names = new NameTable(data.names);
  policy = createSecurityPolicy(data.lists);
});
