/** Waits for the servers that a program names. */

import { abortable } from "#base";
import {
  camelCase,
  type Pack,
  PackError,
  type PackStatus,
  type Peer,
  type Registry,
  untrustedDetails,
} from "#packs";
import type { ReadyProgram } from "../program/types.ts";
import { cancelledEarly } from "./errors.ts";
import type { Unusable } from "./problem/problem.ts";
import type { RunRecord } from "./record.ts";

export interface WaitOptions {
  readonly registry: Registry;
  readonly record: RunRecord;
  readonly signal: AbortSignal;
  /** Client that a person can be asked through. */
  readonly peer?: Peer;
}

type PackState = PackStatus["state"];

/** Waits until the tools that a program names are known or cannot be had; asks a person for sign-ins.
 * Answers whether there was something to wait for. Throws `PackError` for a sign-in that was declined. */
export async function waitForServers(
  program: ReadyProgram,
  options: WaitOptions,
): Promise<boolean> {
  const isConnected = await waitForConnections(program, options);
  const isSignedIn = await waitForSignIns(program, options);
  return isConnected || isSignedIn;
}

async function waitForSignIns(
  { servers }: ReadyProgram,
  { registry, record, signal, peer }: WaitOptions,
): Promise<boolean> {
  const steps = registry.packs().filter((pack) => isWaiting(pack) && isNamed(pack, servers));
  let isTaken = false;
  for (const pack of steps) {
    record.started();
    try {
      await pack.takeStep?.({ signal, peer, origin: { run: record.run } });
      isTaken = true;
    } catch (error) {
      if (!(error instanceof PackError) || error.code === "blocked") throw error;
      // The pack tells its step once more.
    }
  }
  return isTaken;
}

function isWaiting(pack: Pack): boolean {
  return pack.tools().length === 0 && (pack.step?.() ?? null) !== null;
}

function isNamed({ name }: Pack, servers: ReadonlySet<string> | null): boolean {
  return servers?.has(name) === true || servers?.has(camelCase(name, "pack")) === true;
}

async function waitForConnections(
  program: ReadyProgram,
  { registry, record, signal }: WaitOptions,
): Promise<boolean> {
  const pending = pendingPacks(registry, program.servers);
  if (pending.length === 0) return false;
  record.started();
  record.event({
    type: "progress",
    progress: 0,
    total: pending.length,
    message: `Connecting to ${pending.join(", ")}`,
  });
  await abortable(registry.settle(pending), signal, { onAbort: cancelledEarly });
  return true;
}

/** Explains the problem of a pack that the program names and that has no tools because of it. */
export function unusablePack({ servers }: ReadyProgram, registry: Registry): Unusable | undefined {
  for (const pack of registry.packs()) {
    if (pack.tools().length > 0 || !isNamed(pack, servers)) continue;
    const { state, error } = pack.status();
    const problem = pack.problem?.();
    if (problem) {
      const details = state === "untrusted" ? { ...untrustedDetails() } : undefined;
      return { message: `Cannot use the pack "${pack.name}": ${problem}`, details };
    }
    const step = pack.step?.();
    if (step) {
      const { reason, message, command } = step;
      const details = { reason, command };
      return { message: `Cannot use the server "${pack.name}": ${message}`, details };
    }
    const without = pack.source.startsWith("proxy:") && WITHOUT_SERVER[state];
    if (!without) continue;
    return { message: `Cannot use the server "${pack.name}": ${without(error)}` };
  }
  return undefined;
}

/** Why a server whose tools were never seen cannot be used now, and the way out. */
const WITHOUT_SERVER: Partial<Record<PackState, (error: string | null) => string>> = {
  "disconnected": (error) =>
    `it is not connected (${error ?? "disconnected"}): look at its state with ` +
    "`toolscript gateway status` and at its command in the config",
  "needs-auth": (error) =>
    `it wants a sign-in (${error ?? "needs-auth"}): correct its headers in the config`,
  "disabled": () => "it is switched off: set enabled: true in the config",
};

/** Packs that the program names and whose tools are not known yet. */
function pendingPacks(registry: Registry, servers: ReadonlySet<string> | null): string[] {
  const pending = registry.packs()
    .filter((pack) => pack.status().state === "connecting" && pack.tools().length === 0)
    .map(({ name }) => name);
  if (pending.length === 0 || servers === null) return pending;
  const keys = new Map(registry.entries().map((entry) => [entry.pack, entry.packKey]));
  return pending.filter((name) => servers.has(name) || servers.has(keys.get(name) ?? name));
}
