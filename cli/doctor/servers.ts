/** Checks of every configured server: it starts, lists its tools, and says what they do. */

import { authTarget } from "#packs/auth";
import { attempt, isObject, sleep } from "#base";
import type { ServerConfig } from "#packs";
import type { Client } from "../client.ts";
import { bad, type Finding, good, worth } from "./types.ts";

/** Messages of the log about a server. */
export interface ServerLog {
  /** Last line that its process wrote to stderr. */
  readonly words?: string;
  /** Number of tools that were left out. */
  readonly omitted: number;
  /** One of them, with the reason. */
  readonly why?: string;
}

export interface ServerOptions {
  readonly servers: readonly ServerConfig[];
  readonly logs: ReadonlyMap<string, ServerLog>;
  readonly signal: AbortSignal;
  readonly onProgress: (text: string) => Promise<void>;
}

type State = Readonly<Record<string, unknown>>;

const POLL_MS = 150;
const PEEK_MS = 5_000;
/** Time for the list of all tools. */
const LIST_MS = 10_000;

export async function checkServers(client: Client, options: ServerOptions): Promise<Finding[]> {
  const { servers, logs, signal, onProgress } = options;
  if (servers.length === 0) return [];
  let states = await statesOf(client);
  for (;;) {
    const waiting = servers.filter(({ name }) => isPending(states.get(name)));
    if (waiting.length === 0 || signal.aborted) break;
    await onProgress(`Connecting to ${waiting.map(({ name }) => name).join(", ")}`);
    await sleep(POLL_MS);
    states = await statesOf(client);
  }
  return servers.map((server) =>
    findingOf(server, states.get(server.name) ?? {}, logs.get(server.name) ?? { omitted: 0 })
  );
}

function isPending(state: State | undefined): boolean {
  return state === undefined || state.status === "connecting";
}

async function statesOf(client: Client): Promise<ReadonlyMap<string, State>> {
  const answer = await client.peek("/status", PEEK_MS);
  const servers = isObject(answer) && isObject(answer.servers) ? answer.servers : {};
  return new Map(
    Object.entries(servers).filter((entry): entry is [string, Record<string, unknown>] =>
      isObject(entry[1])
    ),
  );
}

function findingOf(server: ServerConfig, state: State, log: ServerLog): Finding {
  const check = `server ${server.name}`;
  switch (state.status) {
    case "disabled":
      return good(check, "Switched off");
    case "connected":
    case "idle":
      return connected(check, state, log);
    case "needs-auth":
      return bad(
        check,
        "Needs a sign-in",
        authTarget(server)?.command ?? `Set servers.${server.name}.headers.Authorization`,
      );
    case "disconnected": {
      const words = log.words === undefined ? "" : `: it wrote "${log.words}"`;
      const phrase = typeof state.error === "string" ? state.error : "not connected";
      const message = `${phrase.slice(0, 1).toUpperCase()}${phrase.slice(1)}${words}`;
      return bad(check, message, wayOut(server, phrase));
    }
    default:
      return bad(
        check,
        "No connection in time",
        "Raise --timeout, or look at its log",
      );
  }
}

function connected(check: string, { tools, transport }: State, log: ServerLog): Finding {
  const count = tools === 1 ? "1 tool" : `${String(tools)} tools`;
  const message = `Connected, ${count}, ${String(transport)}`;
  if (log.omitted > 0) {
    const more = log.omitted > 1 ? ` and ${log.omitted - 1} more` : "";
    return worth(check, `${message}; left out: ${log.why}${more}`, "Report it to its maintainer");
  }
  if (tools === 0) {
    return worth(
      check,
      message,
      "Check its include and exclude, and the access it needs",
    );
  }
  return good(check, message);
}

function wayOut(server: ServerConfig, phrase: string): string {
  const key = `servers.${server.name}`;
  const isProgram = server.kind === "stdio";
  switch (phrase) {
    case "command not found":
      return `Install "${isProgram ? server.command : ""}", or correct ${key}.command`;
    case "command cannot be executed":
      return `Make "${isProgram ? server.command : ""}" executable, or correct ${key}.command`;
    case "working directory not found":
      return `Correct ${key}.cwd`;
    case "access denied":
      return `Check the rights of what ${key}.headers holds`;
    default:
      return isProgram
        ? `Check ${key}.args and ${key}.env: it must speak MCP on stdin and stdout`
        : `Check ${key}.url, and whether this machine can reach it`;
  }
}

/** Points to servers none of whose tools declares an effect: all of them count as writing. */
export async function checkEffects(client: Client, ended: AbortSignal): Promise<Finding[]> {
  const signal = AbortSignal.any([ended, AbortSignal.timeout(LIST_MS)]);
  const answer: unknown = await attempt(async () => {
    return await (await client.request("/tools", { signal })).json();
  });
  const tools = (Array.isArray(answer) ? answer : []).filter(isObject)
    .filter(({ source }) => String(source).startsWith("proxy:"));
  return [...Map.groupBy(tools, ({ server }) => String(server))].flatMap(([server, own]) => {
    if (own.some(({ effect_from }) => effect_from !== "default")) return [];
    return [worth(
      `effects ${server}`,
      `None of its ${own.length} tools says what it does: each counts as write`,
      `Declare those that only read in servers.${server}.effects: toolscript effects ${server}`,
    )];
  });
}
