/** List of what a project would start and read, as a person is asked about it. */

import { ROW, setOff, setOffRest, visibleLine } from "#base";
import { countDropped, countLifted, type Trust, type TrustItems } from "#config";
import { promptNames } from "../terminal/names.ts";

const KINDS = [
  "starts",
  "reads",
  "changes",
  "narrows",
] as const satisfies readonly (keyof TrustItems)[];
const TITLES = {
  starts: "It would start:",
  reads: "It would read these variables, secrets and places:",
  changes: "It would change these settings:",
  narrows: "It would narrow these settings:",
} as const satisfies Record<keyof TrustItems, string>;
/** Names of one kind in the prompt. */
const MOST_NAMES = 5;
/** Beginning of the line of a thing that is started, with its name. */
const NAME = /^(server|command|pack) (?:("(?:[^"\\]|\\.)*")|(\S+?))(?:: | as |$)/;

export interface TrustChanges {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** The project's own secrets whose values are new, changed or gone; without the values. */
  readonly secrets: readonly string[];
}

/** Writes the list with the project above it. */
export function trustQuestion(trust: Trust, columns = ROW): string {
  const head = `The project ${visibleLine(JSON.stringify(trust.project))} is not trusted.`;
  return [...setOffRest(head, columns), trustText(trust, columns)].join("\n");
}

/** Writes the question itself, with how much a yes covers above it. */
export function trustPrompt(trust: Trust): string {
  const { items, before } = trust;
  const { starts, reads, changes } = items;
  const lifted = before ? countLifted(before, items) : 0;
  const dropped = before ? countDropped(before, items) : 0;
  const named = Map.groupBy(starts.map(nameOf), ({ kind }) => kind);
  const names = [...named].map(([kind, all]) =>
    `${counted(all.length, kind)} ${promptNames(all.map(({ name }) => name), MOST_NAMES)}`
  );
  const parts = [
    ...(starts.length > 0 ? [`start ${names.join("; ")}`] : []),
    ...(reads.length > 0 ? [`read ${counted(reads.length, "thing")}`] : []),
    ...(changes.length > 0 ? [`change ${counted(changes.length, "setting")}`] : []),
    ...(dropped > 0 ? [`drop ${counted(dropped, "setting")}`] : []),
    ...(lifted > 0 ? [`lift ${counted(lifted, "restriction")}`] : []),
  ];
  return `A yes lets it ${parts.join(", and ")}.\nTrust what this project starts?`;
}

/** Writes the list, or the difference to what was trusted before, in rows of so many columns. Each row
 * of the project's text has a mark. */
export function trustText(trust: Trust, columns = ROW): string {
  const { items, before } = trust;
  if (before === undefined || trust.kind !== "untrusted") return listText(items, columns);
  const { added, removed, secrets } = trustChanges(trust);
  const rows = (mark: string, items: readonly string[]) =>
    setOff(items.map(visibleLine), { mark: `  ${mark} `, columns });
  const lines = [
    ...rows("+", added),
    ...rows("-", removed),
    ...rows("~", secrets),
    // What a pack does is in its files, whatever else has changed beside it.
    ...trust.tools === before.tools ? [] : ["  the content of .onetool/tools, which packs run"],
  ];
  const head = "It has changed since it was trusted:";
  if (lines.length > 0) return [head, ...lines].join("\n");
  const text = [head, "  the content of its files, not what it starts by name"];
  return [...text, listText(items, columns)].join("\n");
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

function listText(items: TrustItems, columns: number): string {
  return KINDS.filter((kind) => items[kind].length > 0)
    .flatMap((kind) => [TITLES[kind], ...setOff(items[kind].map(visibleLine), { columns })])
    .join("\n");
}

/** The name that a line of `starts` begins with. */
function nameOf(line: string): { readonly kind: string; readonly name: string } {
  const [, kind = "thing", quoted, plain = line] = NAME.exec(line) ?? [];
  return { kind, name: quoted === undefined ? plain : JSON.parse(quoted) };
}

function counted(count: number, what: string): string {
  return `${count} ${count === 1 ? what : `${what}s`}`;
}
