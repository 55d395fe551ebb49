/** What servers list beside tools (resources, templates, prompts), gathered and with its owner. */

import type { ServerPack } from "#packs";
import { isObject, type JsonObject, type Log } from "#sandbox";
import type { McpExchange } from "./types.ts";

/** One kind of list: its method, the key it comes under, what names an entry, who has it. */
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

export interface Owned {
  readonly server: ServerPack;
  /** Its name at the server. */
  readonly id: string;
  readonly entry: JsonObject;
}

const MAX_PAGES = 100;
const MAX_ENTRIES = 5_000;

/** Every entry of one kind by the name it is offered under. A server that cannot answer is left
 * out. Of two with one name the later is `server__name`; an address cannot be changed, so there the
 * first one counts. */
export async function gather(
  servers: readonly ServerPack[],
  kind: ListKind,
  { exchange, log }: { readonly exchange: Pick<McpExchange, "signal">; readonly log: Log },
): Promise<ReadonlyMap<string, Owned>> {
  const lists = await Promise.all(
    servers.map((server) =>
      listAll(server, kind, exchange.signal).catch((error) => {
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
  const all = new Map<string, Owned>();
  for (const owned of lists.flat()) {
    if (!all.has(owned.id)) all.set(owned.id, owned);
    else if (kind === "prompts") {
      const name = `${owned.server.name}__${owned.id}`;
      all.set(name, { ...owned, entry: { ...owned.entry, name } });
    }
  }
  return all;
}

/** Whether a server says that it has something. */
export async function has(
  server: ServerPack,
  capability: string,
  signal: AbortSignal,
): Promise<boolean> {
  return isObject((await server.capabilities({ signal }))[capability]);
}

async function listAll(
  server: ServerPack,
  kind: ListKind,
  signal: AbortSignal,
): Promise<readonly Owned[]> {
  const { method, id, capability } = LISTS[kind];
  if (!await has(server, capability, signal)) return [];
  const owned: Owned[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES && owned.length < MAX_ENTRIES; page++) {
    const result = await server.request(method, cursor === undefined ? {} : { cursor }, { signal });
    const { [kind]: entries, nextCursor } = isObject(result) ? result : {};
    for (const entry of Array.isArray(entries) ? entries : []) {
      if (isUsable(entry, id)) owned.push({ server, id: String(entry[id]), entry });
    }
    if (typeof nextCursor !== "string" || nextCursor === "" || nextCursor === cursor) break;
    cursor = nextCursor;
  }
  return owned;
}

/** A client refuses a whole list for one entry without its names. */
function isUsable(entry: unknown, id: string): entry is JsonObject {
  return isObject(entry) && typeof entry[id] === "string" && typeof entry.name === "string";
}
