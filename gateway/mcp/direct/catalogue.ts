/** Lists of servers beside tools (resources, templates, prompts), merged, each entry with its server. */

import { createTurns, isObject, type JsonObject, type Log, sizeAsJson, within } from "#base";
import type { ServerPack } from "#packs";
import type { McpExchange } from "../types.ts";
import { soundEntry } from "./entry_fields.ts";
import type { ShortNames } from "./short_names.ts";

/** Kinds of lists: the method, the key that identifies an entry, and the capability of the server. */
export const LISTS = {
  resources: { method: "resources/list", id: "uri", capability: "resources" },
  resourceTemplates: {
    method: "resources/templates/list",
    id: "uriTemplate",
    capability: "resources",
  },
  prompts: { method: "prompts/list", id: "name", capability: "prompts" },
} as const;
export type ListKind = keyof typeof LISTS;

export interface ListedEntry {
  readonly server: ServerPack;
  /** Name or URI of the entry at the server. */
  readonly id: string;
  readonly entry: JsonObject;
}

/** Entries of one kind, by the name that clients see. */
export type Catalog = ReadonlyMap<string, ListedEntry>;

const MAX_PAGES = 100;
const MAX_ENTRIES = 5_000;
/** Characters of one entry, and of a whole list of a server. */
const MAX_ENTRY = 262_144;
const MAX_CHARACTERS = 4 * 1_048_576;

/** Time for a start or all pages of a list, and for which a server that took longer is left out, ms. */
const PATIENCE_MS = 10_000;
const REST_MS = 60_000;

/** Servers that took too long, with the time until which they are left out, in milliseconds. */
export type LateServers = WeakMap<ServerPack, number>;

interface LateOptions {
  readonly signal: AbortSignal;
  readonly late: LateServers;
  /** Called when a server that was left out has started. */
  readonly onLateStart: () => void;
  /** Time for a start, and for all pages of a list (10 s). */
  readonly patienceMs?: number;
}

export interface GatherOptions extends Omit<LateOptions, "signal"> {
  readonly exchange: Pick<McpExchange, "signal">;
  readonly names: ShortNames;
  readonly log: Log;
}

/** Collects the entries of one kind, by the name that clients see. A server that fails, or that took too
 * long a minute ago, is left out.
 * A prompt whose name another server has had is `server__name`; of two resources with one URI the first
 * counts, since a URI cannot be changed. */
export async function gather(
  servers: readonly ServerPack[],
  kind: ListKind,
  { exchange, names, log, ...options }: GatherOptions,
): Promise<Catalog> {
  const lists = await Promise.all(
    servers.map((server) =>
      listInTime(server, kind, { signal: exchange.signal, ...options }).catch((error) => {
        exchange.signal.throwIfAborted();
        log("warning", "Cannot list what a server offers", {
          server: server.name,
          kind,
          error: String(error),
        });
        return [];
      })
    ),
  );
  const all = new Map<string, ListedEntry>();
  for (const listed of lists.flat()) {
    const { server: { name: server }, id, entry } = listed;
    const isOwn = kind !== "prompts" || names.take({ kind, server, name: id });
    if (isOwn && !all.has(id)) all.set(id, listed);
    else if (kind === "prompts") {
      const name = `${server}__${id}`;
      all.set(name, { ...listed, entry: { ...entry, name } });
    }
  }
  return all;
}

/** True for a server that declares this capability. Throws for one that takes long to start: it is left
 * out for a minute, or until it has started. */
export async function has(
  server: ServerPack,
  capability: string,
  { signal, late, onLateStart, patienceMs = PATIENCE_MS }: LateOptions,
): Promise<boolean> {
  const now = performance.now();
  if ((late.get(server) ?? 0) > now) throw new Error("It took too long before");
  const declared = server.capabilities({ signal });
  if (await within(declared, patienceMs)) return isObject((await declared)[capability]);
  late.set(server, now + patienceMs + REST_MS);
  declared.then(() => late.delete(server) && onLateStart(), () => {});
  throw new Error("It takes long to start");
}

async function listInTime(
  server: ServerPack,
  kind: ListKind,
  options: LateOptions,
): Promise<readonly ListedEntry[]> {
  if (!await has(server, LISTS[kind].capability, options)) return [];
  const { signal, late, patienceMs = PATIENCE_MS } = options;
  const begun = performance.now();
  try {
    return await listAll(server, kind, AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]));
  } catch (error) {
    const now = performance.now();
    if (!signal.aborted && now - begun >= patienceMs) late.set(server, now + REST_MS);
    throw error;
  }
}

async function listAll(
  server: ServerPack,
  kind: ListKind,
  signal: AbortSignal,
): Promise<readonly ListedEntry[]> {
  const { method } = LISTS[kind];
  const turn = createTurns();
  const listed: ListedEntry[] = [];
  let characters = 0;
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const result = await server.request(method, cursor === undefined ? {} : { cursor }, { signal });
    const { [kind]: entries, nextCursor } = isObject(result) ? result : {};
    for (const entry of Array.isArray(entries) ? entries : []) {
      const size = sizeAsJson(entry, MAX_ENTRY);
      await turn();
      const sound = size > MAX_ENTRY ? undefined : soundEntry(entry, LISTS[kind].id);
      if (!sound) continue;
      characters += size;
      if (characters > MAX_CHARACTERS || listed.length === MAX_ENTRIES) return listed;
      listed.push({ server, id: String(sound[LISTS[kind].id]), entry: sound });
    }
    if (typeof nextCursor !== "string" || nextCursor === "" || nextCursor === cursor) break;
    cursor = nextCursor;
  }
  return listed;
}
