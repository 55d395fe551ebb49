/** Waits for the servers that a program names. */

import { abortable } from "#base";
import { camelCase, type PackStatus, type Registry } from "#packs";
import type { ReadyProgram } from "../program/types.ts";
import { RunRefused } from "./errors.ts";
import type { Unusable } from "./problem/problem.ts";
import type { RunRecord } from "./record.ts";

export interface WaitOptions {
  readonly registry: Registry;
  readonly record: RunRecord;
  readonly signal: AbortSignal;
}

type PackState = PackStatus["state"];

/** Waits until the tools that a program names are known or cannot be had. Answers whether there was
 * something to wait for. */
export async function waitForServers(
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
  const onAbort = () => new RunRefused("cancelled", "The run was cancelled before it began");
  await abortable(registry.settle(pending), signal, { onAbort });
  return true;
}

/** Explains the problem of a pack that the program names and that has no tools because of it. */
export function unusablePack({ servers }: ReadyProgram, registry: Registry): Unusable | undefined {
  for (const pack of registry.packs()) {
    const isUsed = servers?.has(pack.name) || servers?.has(camelCase(pack.name, "pack"));
    if (!isUsed || pack.tools().length > 0) continue;
    const { state, error } = pack.status();
    const isUntrusted = state === "untrusted";
    const problem = pack.problem?.();
    if (problem) return { message: `Cannot use the pack "${pack.name}": ${problem}`, isUntrusted };
    const without = pack.source.startsWith("proxy:") && WITHOUT_SERVER[state];
    if (!without) continue;
    return { message: `Cannot use the server "${pack.name}": ${without(error)}`, isUntrusted };
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
  const keys = new Map(registry.entries().map((entry) => [entry.pack, entry.packKey]));
  return registry.packs()
    .filter((pack) => pack.status().state === "connecting" && pack.tools().length === 0)
    .map(({ name }) => name)
    .filter((name) => servers === null || servers.has(name) || servers.has(keys.get(name) ?? name));
}
