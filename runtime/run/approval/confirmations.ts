/** Confirmations that a client sends with a repeated request: valid once, for that request, for
 * five minutes. */

import { canonicalJson } from "#base";
import type { RunRequest } from "../types.ts";
import type { KeptCall } from "./call_keeper.ts";

export interface Confirmations {
  /** An id that approves these calls for this subject. */
  issue(subject: string, calls: readonly KeptCall[]): string;
  /** Uses up an id and returns the calls that it approves; undefined if it is expired or belongs
   * to another subject. */
  take(id: string, subject: string, by?: Confirmer): readonly KeptCall[] | undefined;
}

/** The client that sends an id. */
export interface Confirmer {
  readonly run?: string;
  readonly client?: string;
  /** `all` for a plan. */
  readonly allow?: "call" | "all";
}

/** Use of a confirmation, for the audit. */
export interface Confirmed extends Confirmer {
  readonly calls: readonly KeptCall[];
}

export interface ConfirmationsDeps {
  /** Milliseconds. */
  readonly now: () => number;
  readonly newId: () => string;
  readonly onConfirmed?: (confirmed: Confirmed) => void;
}

interface Pending {
  readonly subject: string;
  readonly calls: readonly KeptCall[];
  readonly until: number;
  readonly size: number;
}

const LIFE_MS = 5 * 60_000;
const MOST = 1_000;
const MOST_CHARACTERS = 32 * 1024 * 1024;

/** Holds what waits to be confirmed; the oldest go when there are too many.
 *
 * @example
 * ```ts
 * import { createConfirmations } from "#runtime";
 * const confirmations = createConfirmations({ now: Date.now, newId: () => crypto.randomUUID() });
 * const id = confirmations.issue("this request", []);
 * console.assert(confirmations.take(id, "another request") === undefined);
 * console.assert(confirmations.take(id, "this request")?.length === 0);
 * ```
 */
export function createConfirmations(
  { now, newId, onConfirmed }: ConfirmationsDeps,
): Confirmations {
  const pending = new Map<string, Pending>();
  let characters = 0;

  function drop(id: string): void {
    characters -= pending.get(id)?.size ?? 0;
    pending.delete(id);
  }

  /** Ids are held in the order of their age. */
  function makeRoom(size: number): void {
    for (const [id, { until }] of pending) {
      const isFull = pending.size >= MOST || characters + size > MOST_CHARACTERS;
      if (until > now() && !isFull) return;
      drop(id);
    }
  }

  return {
    issue(subject, calls) {
      const size = calls.reduce((sum, { text }) => sum + text.length, 0);
      makeRoom(size);
      const id = newId();
      pending.set(id, { subject, calls, until: now() + LIFE_MS, size });
      characters += size;
      return id;
    },
    take(id, subject, by) {
      const confirmation = pending.get(id);
      if (!confirmation || confirmation.subject !== subject) return undefined;
      drop(id);
      const { until, calls } = confirmation;
      if (until <= now()) return undefined;
      onConfirmed?.({ ...by, calls });
      return calls;
    },
  };
}

/** Key of what a confirmation of a run covers: the same program with the same input. */
export async function subjectOfRun(request: RunRequest): Promise<string> {
  const { cwd, stdinText = null } = request;
  if (request.kind === "command") return await digest(["command", cwd, stdinText, request.command]);
  const { script, file, files, args } = request;
  return await digest(["script", cwd, stdinText, script, file, files, args]);
}

async function digest(parts: Parameters<typeof canonicalJson>[0]): Promise<string> {
  const bytes = new TextEncoder().encode(canonicalJson(parts));
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
}
