/** List of what a project would start and read, for a person. */

import { escapeLines } from "#base";
import type { Trust, TrustItems } from "#config";

const KINDS = ["starts", "reads", "changes"] as const satisfies readonly (keyof TrustItems)[];
const TITLES = {
  starts: "It would start:",
  reads: "It would read these variables, secrets and places:",
  changes: "It would change these settings:",
} as const satisfies Record<keyof TrustItems, string>;

export interface TrustChanges {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** The project's own secrets whose values are new, changed or gone; without the values. */
  readonly secrets: readonly string[];
}

/** Builds the list, or the difference to what was trusted before. */
export function trustText(trust: Trust): string {
  const { items, before } = trust;
  if (before === undefined || trust.kind !== "untrusted") return listText(items);
  const { added, removed, secrets } = trustChanges(trust);
  const lines = [
    ...added.map((item) => `  + ${item}`),
    ...removed.map((item) => `  - ${item}`),
    ...secrets.map((secret) => `  ~ ${secret}`),
    // What a pack does is in its files, whatever else has changed beside it.
    ...trust.tools === before.tools ? [] : ["  the content of .onetool/tools, which packs run"],
  ];
  const head = "It has changed since it was trusted:";
  if (lines.length > 0) return escapeLines([head, ...lines].join("\n"));
  const text = [head, "  the content of its files, not what it starts by name", listText(items)];
  return text.join("\n");
}

/** Compares the items to those that were trusted. */
export function trustChanges({ items, secrets, before }: Trust): TrustChanges {
  const now = KINDS.flatMap((kind) => items[kind]);
  const then = before ? KINDS.flatMap((kind) => before[kind]) : [];
  const names = new Set([...Object.keys(secrets), ...Object.keys(before?.secrets ?? {})]);
  return {
    added: now.filter((item) => !then.includes(item)),
    removed: then.filter((item) => !now.includes(item)),
    secrets: [...names].filter((name) => secrets[name] !== before?.secrets[name]),
  };
}

function listText(items: TrustItems): string {
  const parts = KINDS.filter((kind) => items[kind].length > 0)
    .map((kind) => [TITLES[kind], ...items[kind].map((item) => `  ${item}`)].join("\n"));
  return escapeLines(parts.join("\n"));
}
