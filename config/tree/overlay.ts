/** Merges a project's configuration over the home folder's, whose lists and secrets stay its own. */

import { PACKS } from "#packs/settings";
import { lostText } from "../trust/items.ts";
import { ADDED_LISTS } from "../trust/narrow.ts";
import {
  type Entry,
  isNull,
  type MapNode,
  mergeNodes,
  type Node,
  type ScalarNode,
} from "./node.ts";

/** Keys that a server of the home folder keeps where the project sets how it is reached: nothing
 * that it starts with or sends. */
const NARROWING_SERVER_KEYS = new Set([
  "enabled",
  "disabled",
  "include",
  "exclude",
  "timeout",
  "idle_timeout",
  "keep_alive",
  "accounts",
  "effects",
  "learn",
]);
const REACHED_BY = [
  "command",
  "args",
  "env",
  "cwd",
  "url",
  "headers",
  "tls",
  "type",
  "transport",
  "oauth",
];
/** Keys of a built-in pack that say where its requests go. */
const ADDRESSES = ["base_url", "url", "registries"];
/** Keys of a pack of the user that may say so. */
const ADDRESS_KEY = new RegExp(
  "ur[il]s?$|host|address|endpoint|server|domain|origin|proxy|registr|mirror|base|port$|instance|" +
    "tenant|site|target|backend|upstream|remote|gateway|callback|hook|account|workspace|cluster|" +
    "namespace|region|dsn|dest|cloud|(?:^|_)(?:api$|org|team|zone|shop|store|project|app$)",
  "i",
);
/** Values that may be an address, with a scheme or without: they hold a dot (the last three are read as
 * one in host names), a colon, a slash or `@`. */
const ADDRESS = /[.:/@\u3002\uff0e\uff61]/;
const SECRET_KEY =
  /secret|token|pass|pwd?$|pin$|key|credential|header|auth|login|dsn|cookie|bearer|session|private|cert/i;
/** A unit or a name, which is no secret where its key does not sound so. */
const PLAIN_WORD = /^[a-z]{0,20}$/i;

/** The merged tree. `project` counts as far as it was trusted. */
export function overlay(home: MapNode, project: MapNode): MapNode {
  const entries = new Map(project.entries);
  entries.delete("secrets"); // only the home folder lends secrets
  const security = entries.get("security");
  if (security) entries.set("security", withLists(home.entries.get("security"), security));
  const [servers, packs] = [nodesOf(home, "servers"), nodesOf(home, "packs")];
  const isRuled = hasRules(home);
  drop("effects", entries, "servers", (name) => {
    return isRuled ? servers.has(name) : names(servers.get(name), ["effects"]);
  });
  drop("effects", entries, "packs", (name) => isRuled || names(packs.get(name), ["effects"]));
  drop("accounts", entries, "servers", (name) => names(servers.get(name), ["accounts"]));
  drop("external", entries, "servers", (name, value) => servers.has(name) && !isTrue(value));
  const base = new Map(home.entries);
  for (const [key, keep] of [["servers", keepOfServer], ["packs", keepOfPack]] as const) {
    const below = base.get(key);
    const over = entries.get(key);
    if (below && over) base.set(key, { ...below, value: eachName(below.value, over.value, keep) });
  }
  const merged = mergeNodes({ ...home, entries: base }, { ...project, entries });
  return merged.kind === "map" ? merged : home;
}

function hasRules({ entries }: MapNode): boolean {
  const security = entries.get("security")?.value;
  const rules = security?.kind === "map" ? security.entries.get("rules")?.value : undefined;
  return rules?.kind === "list" && rules.items.length > 0;
}

/** Values of a section by their names. */
function nodesOf({ entries }: MapNode, key: string): ReadonlyMap<string, Node> {
  const section = entries.get(key)?.value;
  if (section?.kind !== "map") return new Map();
  return new Map([...section.entries].map(([name, { value }]) => [name, value]));
}

/** Takes out a key of a project's servers or packs. A milder effect would pass a rule of the home
 * folder, or a look at what it declares itself; accounts in another order have names that its lists
 * mean others by; results of a server that are external stay so. */
function drop(
  dropped: "effects" | "accounts" | "external",
  entries: Map<string, Entry>,
  key: "servers" | "packs",
  isHeld: (name: string, value: Node) => boolean,
): void {
  const section = entries.get(key);
  if (section?.value.kind !== "map") return;
  const kept = [...section.value.entries].map(([name, entry]) => {
    const value = filtered(entry.value, (key, value) => key !== dropped || !isHeld(name, value));
    return [name, { ...entry, value }] as const;
  });
  entries.set(key, { ...section, value: { ...section.value, entries: new Map(kept) } });
}

/** Settings for packs of the project: its own over the home folder's, without references, secrets and
 * permissions, which were granted to other code. */
export function packsOfProject(home: MapNode, project: MapNode): MapNode {
  const [below, over] = [home.entries.get("packs"), project.entries.get("packs")];
  const entries = new Map<string, Entry>();
  for (const [name, entry] of below?.value.kind === "map" ? below.value.entries : []) {
    const plain = withoutSecrets(entry.value, isLongText);
    const value = filtered(plain, (key) => key !== "permissions");
    entries.set(name, { ...entry, value });
  }
  const base: Node = { kind: "map", entries, place: home.place };
  const value = over ? mergeNodes(base, over.value) : base;
  return { ...project, entries: new Map([["packs", { place: project.place, value }]]) };
}

/** The project's lists after the home folder's; it does not switch them off. */
function withLists(home: Entry | undefined, project: Entry): Entry {
  if (project.value.kind !== "map") return project;
  const base = home?.value.kind === "map" ? home.value.entries : new Map<string, Entry>();
  const entries = new Map(project.value.entries);
  for (const key of ADDED_LISTS) {
    const [below, over] = [base.get(key)?.value, entries.get(key)];
    if (below?.kind !== "list" || !over) continue;
    const items = over.value.kind === "list" ? over.value.items : [];
    const value: Node = { ...below, items: [...below.items, ...items] };
    entries.set(key, { ...over, value });
  }
  const isListed = ADDED_LISTS.some((key) => base.has(key));
  const enabled = entries.get("enabled")?.value;
  if (isListed && enabled?.kind === "scalar" && enabled.value !== true) entries.delete("enabled");
  return { ...project, value: { ...project.value, entries } };
}

type Keep = (home: Node, project: Node, name: string) => Node;

function eachName(home: Node, project: Node, keep: Keep): Node {
  if (home.kind !== "map" || project.kind !== "map") return home;
  const entries = [...home.entries].map(([name, entry]) => {
    const over = project.entries.get(name)?.value;
    return [name, over ? { ...entry, value: keep(entry.value, over, name) } : entry] as const;
  });
  return { ...home, entries: new Map(entries) };
}

function keepOfServer(home: Node, project: Node): Node {
  if (!names(project, REACHED_BY)) return home;
  const kept = filtered(
    home,
    (key, value) => NARROWING_SERVER_KEYS.has(key) || key === "external" && isTrue(value),
  );
  const effects = kept.kind === "map" ? kept.entries.get("effects") : undefined;
  if (kept.kind !== "map" || !effects) return kept;
  const value = filtered(effects.value, (_, effect) => !isRead(effect));
  return { ...kept, entries: new Map(kept.entries).set("effects", { ...effects, value }) };
}

function isTrue(node: Node): boolean {
  return node.kind === "scalar" && node.value === true;
}

/** True for the mildest effect, which was said of what the home folder reaches. */
function isRead(effect: Node): boolean {
  return effect.kind === "scalar" && effect.value === "read";
}

function keepOfPack(home: Node, project: Node, name: string): Node {
  const isBuiltin = Object.hasOwn(PACKS.keys, name);
  const isElsewhere = isBuiltin ? names(project, ADDRESSES) : holdsAddress(project);
  if (!isElsewhere) return home;
  // A built-in pack has its secrets under names that say so.
  return withoutSecrets(home, isBuiltin ? holdsReference : isLongText);
}

/** Settings of the home folder's packs that do not hold in a project, a line for each: a limit may be
 * among what could be a secret. */
export function settingsLost(home: MapNode, project: MapNode): string[] {
  const over = nodesOf(project, "packs");
  return [...nodesOf(home, "packs")].flatMap(([name, node]) => {
    const own = over.get(name);
    const lost = own ? pathsLost(node, keepOfPack(node, own, name)) : [];
    return lost.map((path) => lostText(name, path));
  });
}

function pathsLost(
  before: Node,
  after: Node | undefined,
  path: readonly string[] = [],
): (readonly string[])[] {
  if (before === after) return [];
  if (before.kind !== "map" || after?.kind !== "map") return [path];
  return [...before.entries].flatMap(([key, { value }]) =>
    pathsLost(value, after.entries.get(key)?.value, [...path, key])
  );
}

/** Tells that a value may say where the requests of a pack go. */
function holdsAddress(node: Node): boolean {
  if (node.kind === "scalar") return mayBeAddress(node.value);
  if (node.kind === "list") return node.items.some(holdsAddress);
  return [...node.entries].some(([key, { value }]) => {
    return !isNull(value) && (ADDRESS_KEY.test(key) || mayBeAddress(key) || holdsAddress(value));
  });
}

function mayBeAddress(value: ScalarNode["value"]): boolean {
  if (typeof value === "string" && ADDRESS.test(value)) return true;
  // A URL reads 16843009 as 1.1.1.1, and "a%2Eexample" as "a.example".
  const url = `http://${value}`;
  const host = URL.canParse(url) ? new URL(url).hostname : "";
  // Nothing answers at 0.0.0.5, which the number 5 would be.
  return host.includes(".") && !host.startsWith("0.");
}

type IsSecret = (text: string) => boolean;

const isLongText: IsSecret = (text) => !PLAIN_WORD.test(text);
const holdsReference: IsSecret = (text) => text.includes("${");

/** Leaves out what may be a secret, at any depth: values whose keys sound so, and texts that may be one. */
function withoutSecrets(node: Node, isSecret: IsSecret): Node {
  if (node.kind !== "map") return node;
  const kept = [...node.entries].filter(([key, { value }]) =>
    !SECRET_KEY.test(key) && (value.kind === "map" || !holdsSecret(value, isSecret))
  );
  const entries = kept.map(([key, entry]) =>
    [key, { ...entry, value: withoutSecrets(entry.value, isSecret) }] as const
  );
  return { ...node, entries: new Map(entries) };
}

function holdsSecret(node: Node, isSecret: IsSecret): boolean {
  if (node.kind === "scalar") return typeof node.value === "string" && isSecret(node.value);
  if (node.kind === "list") return node.items.some((item) => holdsSecret(item, isSecret));
  return [...node.entries].some(([key, { value }]) =>
    SECRET_KEY.test(key) || holdsSecret(value, isSecret)
  );
}

function filtered(node: Node, keep: (key: string, value: Node) => boolean): Node {
  if (node.kind !== "map") return node;
  const entries = [...node.entries].filter(([key, { value }]) => keep(key, value));
  return { ...node, entries: new Map(entries) };
}

function names(node: Node | undefined, keys: readonly string[]): boolean {
  return node?.kind === "map" &&
    keys.some((key) => {
      const value = node.entries.get(key)?.value;
      return value !== undefined && !isNull(value);
    });
}
