/** Lists of the parts that a project's configuration starts and reads. */

import { createHash } from "node:crypto";
import { type Transport, transportOf } from "#packs/server";
import { sqlitePath } from "#packs/settings";
import { isNull, type MapNode, type Node, type ScalarNode, toValue } from "../tree/node.ts";

/** A server of which only the name may be used. */
export interface ServerStub {
  readonly name: string;
  readonly transport: Transport;
}

/** Content of a trust decision, one line for each part. */
export interface TrustItems {
  /** Programs, addresses and packs. */
  readonly starts: readonly string[];
  /** Variables and secrets by name. */
  readonly reads: readonly string[];
  /** Settings that do more than narrow those of the home folder. */
  readonly changes: readonly string[];
  /** Settings that narrow those of the home folder, a line for each entry of a list. */
  readonly narrows: readonly string[];
}

const REFERENCE = /(\$?)\$\{([^{}]+)\}/g;
const PLAIN = /^[\w@%+=:,./-]+$/;
const MOST_CHARACTERS = 300;
/** Words for the places that secrets come from. */
const KINDS: Readonly<Record<string, string>> = {
  secret: "secret",
  keychain: "keychain entry",
  cmd: "command",
};
/** Keys of a server that are shown behind what it starts. `effects` decides what a
 * look may call; the last may give tools back that the home folder leaves out of a server of its own. */
const FURTHER = [
  "type",
  "transport",
  "cwd",
  "env",
  "headers",
  "tls",
  "oauth",
  "accounts",
  "external",
  "effects",
  "include",
  "exclude",
  "enabled",
  "disabled",
];
/** Sections of long texts, which decide neither what starts nor what a call may do. */
const TEXTS = new Set(["prompts", "snippets"]);

export interface StartedPack {
  /** Relative to the project. */
  readonly file: string;
  /** Name that the file gives itself, in place of its folder's. */
  readonly name?: string;
}

/** Lines for programs and packs of the project, and for variables and secrets of the whole tree. */
export function listStarts(
  root: MapNode,
  packs: readonly StartedPack[],
): Pick<TrustItems, "starts" | "reads"> {
  const servers = entriesOf(root.entries.get("servers")?.value);
  const commands = entriesOf(root.entries.get("commands")?.value);
  const starts = [
    ...servers.map(([name, node]) => `server ${word(name)}: ${serverText(node)}`),
    ...commands.map(([name, node]) => `command ${word(name)}: ${valueText(node)}`),
    ...packs.map(({ file, name }) =>
      `pack ${word(file)}${name === undefined ? "" : ` as ${word(name)}`}`
    ),
  ];
  return { starts, reads: [...new Set(referencesIn(root))].sort() };
}

/** Digests of secrets that the project itself has, by their lines for a person: the values are not
 * shown, but that one has changed. */
export function secretDigests(
  file: string,
  secrets: ReadonlyMap<string, string>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...secrets].map(([name, value]) => [
      `secret ${word(name)} in ${word(file)}`,
      createHash("sha256").update(value).digest("hex"),
    ]),
  );
}

/** Servers by name, each with its transport. */
export function serverStubs(root: MapNode): readonly ServerStub[] {
  return entriesOf(root.entries.get("servers")?.value).map(([name, node]) => {
    const type = textAt(node, "type") ?? textAt(node, "transport");
    if (textAt(node, "url") === undefined || type === "stdio") return { name, transport: "stdio" };
    return { name, transport: transportOf(type) ?? "http" };
  });
}

/** A place outside of the project. */
export function placeText({ kind, path }: Place): string {
  return `${kind} ${word(path)}`;
}

export interface Place {
  readonly kind: "file" | "folder" | "database";
  readonly path: string;
}

/** Folders and databases that packs would use, as they are written. */
export function packPlaces(root: MapNode): readonly Place[] {
  const packs = entriesOf(root.entries.get("packs")?.value);
  return packs.flatMap(([, pack]): Place[] => {
    const folders = itemsAt(pack, "allowed").map(scalarText);
    const connections = pack.kind === "map" ? pack.entries.get("connections")?.value : undefined;
    const urls = entriesOf(connections)
      .map(([, one]) => one.kind === "map" ? textAt(one, "url") ?? "" : scalarText(one));
    return [
      ...folders.map((path) => ({ kind: "folder" as const, path })),
      ...urls.map(sqlitePath).filter((path) => path !== undefined)
        .map((path) => ({ kind: "database" as const, path })),
    ];
  });
}

/** A setting of the home folder's pack that does not hold with those of the project. */
export function lostText(pack: string, path: readonly string[]): string {
  return `packs.${word(pack)}${LOST}: ${path.map(word).join(".")}`;
}

/** End of the key of such a line, which names no setting of the project. */
export const LOST = " without yours";

/** A setting with its value. Only long texts for the agent are cut: what a cut leaves out is agreed
 * to unseen. */
export function settingText(path: readonly string[], node: Node): string {
  const value = valueText(node);
  const text = TEXTS.has(path[0] ?? "") ? shorten(value) : value;
  return `${path.map(word).join(".")}: ${text}`;
}

function serverText(node: Node): string {
  const program = [textAt(node, "command"), ...itemsAt(node, "args").map(scalarText)]
    .filter((part) => part !== undefined).map(word).join(" ");
  const address = textAt(node, "url");
  const further = FURTHER.flatMap((key) => {
    const value = node.kind === "map" ? node.entries.get(key)?.value : undefined;
    return value && !isNull(value) ? [`${key} ${valueText(value)}`] : [];
  });
  const what = [program, address === undefined ? "" : word(address)].filter((part) => part !== "");
  return [what.join(" "), ...further].join("; ");
}

function referencesIn(node: Node): string[] {
  if (node.kind === "list") return node.items.flatMap(referencesIn);
  if (node.kind === "map") {
    return [...node.entries.values()].flatMap(({ value }) => referencesIn(value));
  }
  if (typeof node.value !== "string") return [];
  return [...node.value.matchAll(REFERENCE)].flatMap(([, escape, inner = ""]) => {
    const at = inner.indexOf(":");
    if (escape === "$" || at === 0) return [];
    // A name may begin with the hyphen that a default has.
    const [, kind, rest = ""] = /^(secret|keychain|cmd|op):(.*)$/s.exec(inner) ?? [];
    if (kind === undefined) return [word(inner.startsWith(":-", at) ? inner.slice(0, at) : inner)];
    return [kind === "op" ? word(inner) : `${KINDS[kind]} ${word(rest)}`];
  });
}

function entriesOf(node: Node | undefined): (readonly [string, Node])[] {
  return node?.kind === "map" ? [...node.entries].map(([key, { value }]) => [key, value]) : [];
}

function textAt(node: Node, key: string): string | undefined {
  const value = node.kind === "map" ? node.entries.get(key)?.value : undefined;
  return value && !isNull(value) ? scalarText(value) : undefined;
}

function itemsAt(node: Node, key: string): readonly Node[] {
  const value = node.kind === "map" ? node.entries.get(key)?.value : undefined;
  if (!value || isNull(value)) return [];
  return value.kind === "list" ? value.items : [value];
}

function scalarText(node: Node): string {
  return node.kind === "scalar" ? node.source : valueText(node);
}

/** As JSON on one line. A word that YAML reads as another value is shown as it is written, and used:
 * `010`, `True`. */
function valueText(node: Node): string {
  const read = ({ value, source }: ScalarNode) =>
    typeof value === "string" || value === null || String(value) === source ? value : source;
  return JSON.stringify(toValue(node, read));
}

function word(text: string): string {
  return PLAIN.test(text) ? text : JSON.stringify(text);
}

/** The digest tells two texts apart that differ behind the cut. */
function shorten(text: string): string {
  const left = text.length - MOST_CHARACTERS;
  if (left <= 0) return text;
  const digest = createHash("sha256").update(text).digest("hex").slice(0, 16);
  return `${text.slice(0, MOST_CHARACTERS)}… (${left} more characters, SHA-256 ${digest})`;
}
