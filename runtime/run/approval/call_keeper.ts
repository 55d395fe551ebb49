/** Calls as they are kept for minutes: a digest that tells them apart, and their text. */

import { createHash } from "node:crypto";
import { canonicalJson, type Pace } from "#base";
import type { CallOrigin } from "#packs";
import type { Question } from "../types.ts";

export interface KeptCall {
  /** The same for two calls of one tool with the same arguments, at any line. */
  readonly key: string;
  readonly tool: string;
  /** The call as JSON: parsed, small keys take many times their text. */
  readonly text: string;
}

/** Work about the calls of one run, in its turns. Each rejects where the signal is aborted before. */
export interface CallKeeper {
  keyOf(call: Question, signal?: AbortSignal): Promise<string>;
  keep(call: Question, signal?: AbortSignal): Promise<KeptCall>;
  /** Reads kept calls again. */
  read(calls: readonly KeptCall[], signal?: AbortSignal): Promise<readonly Question[]>;
  /** Does other work about one call. */
  inTurn<T>(work: () => T, signal?: AbortSignal): Promise<T>;
}

export interface CallKeeperDeps {
  readonly pace: Pace;
  readonly origin?: CallOrigin;
}

/** Builds the keeper of the calls of one run, or of one client. */
export function createCallKeeper(
  { pace, origin: { within, run, client } = {} }: CallKeeperDeps,
): CallKeeper {
  const inTurn: CallKeeper["inTurn"] = (work, signal) => {
    return pace(work, { client: within ?? run ?? client, signal });
  };
  const keyOf: CallKeeper["keyOf"] = (call, signal) => inTurn(() => digestOf(call), signal);
  return {
    inTurn,
    keyOf,
    async keep(call, signal) {
      const text = await inTurn(() => JSON.stringify(call), signal);
      return { key: await keyOf(call, signal), tool: call.tool, text };
    },
    async read(calls, signal) {
      const read: Question[] = [];
      for (const call of calls) read.push(await inTurn(() => questionOf(call), signal));
      return read;
    },
  };
}

/** Parses a kept call. */
export function questionOf({ text }: KeptCall): Question {
  return JSON.parse(text);
}

function digestOf({ kind, tool, arguments: args }: Question): string {
  return createHash("sha256").update(canonicalJson([kind ?? "call", tool, args])).digest("hex");
}
