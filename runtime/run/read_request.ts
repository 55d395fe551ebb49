/** The stage of reading: from a request to a program that may be run, or to the reply that ends it. */

import type { Log } from "#base";
import { PackError, type Registry } from "#packs";
import type { Catalog } from "../catalog.ts";
import { COMMAND_FILE } from "../syntax/paths.ts";
import type { ProgramReader, ReaderResult, ReadyProgram } from "../program/types.ts";
import { explainUnusable, type Unusable } from "./problem/problem.ts";
import { explainRefused, warnOf } from "./problem/explain_refusal.ts";
import type { IncomingRun } from "./stage.ts";
import type { RunReply, RunRequest } from "./types.ts";
import { unusablePack, waitForServers } from "./wait.ts";

export interface ReadingDeps {
  readonly reader: ProgramReader;
  readonly catalog: Catalog;
  readonly registry: Registry;
  readonly log: Log;
}

/** Key of the clients that give no name: they take turns as one. */
const NAMELESS = {};

export type Reading =
  | { readonly kind: "program"; readonly program: ReadyProgram }
  | { readonly kind: "ended"; readonly reply: RunReply };

/** Reads the program of a request once the servers that it names are connected. */
export async function readRequest(incoming: IncomingRun, deps: ReadingDeps): Promise<Reading> {
  const { request, record } = incoming;
  const read = await readKnown(incoming, deps);
  if ("message" in read) return { kind: "ended", reply: record.fail(explainUnusable(read)) };
  const file = request.kind === "script" ? request.file : COMMAND_FILE;
  warnOf(read.validation, { file, record, log: deps.log });
  const ended = (reply: RunReply): Reading => {
    return {
      kind: "ended",
      reply: read.call === undefined ? reply : { ...reply, call: read.call },
    };
  };
  if (read.kind === "finding") {
    const text = (path: string) => authorText(request, path);
    return ended(record.fail(explainRefused(read, { file, text })));
  }
  const unusable = unusablePack(read, deps.registry);
  if (unusable !== undefined) return ended(record.fail(explainUnusable(unusable)));
  if (request.kind === "command" && request.explain) {
    return ended(record.succeed(read.explained, read.explained));
  }
  return { kind: "program", program: read };
}

async function readKnown(
  { request, record, signal, options: { peer, within, client } }: IncomingRun,
  deps: ReadingDeps,
): Promise<ReaderResult | Unusable> {
  const { reader, catalog, registry } = deps;
  catalog.sync(); // the reader holds commands against these names and lists
  const turn = { signal, client: within ?? client ?? NAMELESS };
  const read = await record.time("parse", () => reader.read(request, turn));
  if (read.kind === "finding") return read;
  try {
    if (!await waitForServers(read, { registry, record, signal, peer })) return read;
  } catch (error) {
    if (!(error instanceof PackError) || error.code !== "blocked") throw error;
    return { message: error.message, code: error.code, details: error.details };
  }
  // A command is read with the tools' parameters in mind, which are known only now.
  catalog.sync();
  return await reader.read(request, turn);
}

function authorText(request: RunRequest, file: string): string | undefined {
  if (request.kind === "command") return request.command;
  return file === request.file ? request.script : request.files[file];
}
