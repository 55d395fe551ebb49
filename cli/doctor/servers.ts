/** Every server of the configuration, started and asked for its tools. */

import type { ServerConfig } from "#packs";
import { sleep } from "#sandbox/async";
import { isObject } from "#sandbox/json";
import type { Client } from "../client.ts";
import { bad, type Finding, good, worth } from "./types.ts";

/** What the log said of a server. */
export interface Said {
  /** The last line that its process wrote to stderr. */
  readonly lastWords?: string;
  /** Tools that could not be taken. */
  readonly leftOut: number;
  /** One of them, and why. */
  readonly why?: string;
}

export interface ServerOptions {
  readonly servers: readonly ServerConfig[];
  readonly said: ReadonlyMap<string, Said>;
  readonly signal: AbortSignal;
  readonly onProgress: (text: string) => Promise<void>;
}

type State = Readonly<Record<string, unknown>>;

const POLL_MS = 150;
const PEEK_MS = 5_000;

export async function checkServers(client: Client, options: ServerOptions): Promise<Finding[]> {
  const { servers, said, signal, onProgress } = options;
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
    findingOf(server, states.get(server.name) ?? {}, said.get(server.name) ?? { leftOut: 0 })
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

function findingOf(server: ServerConfig, state: State, said: Said): Finding {
  const check = `server ${server.name}`;
  switch (state.status) {
    case "disabled":
      return good(check, "Switched off");
    case "connected":
    case "idle":
      return connected(check, state, said);
    case "needs-auth":
      return bad(check, "Wants a sign-in", `Set servers.${server.name}.headers.Authorization`);
    case "disconnected": {
      const words = said.lastWords === undefined ? "" : `: it said "${said.lastWords}"`;
      const phrase = typeof state.error === "string" ? state.error : "not connected";
      const message = `${phrase.slice(0, 1).toUpperCase()}${phrase.slice(1)}${words}`;
      return bad(check, message, wayOut(server, phrase));
    }
    default:
      return bad(
        check,
        "No connection in time",
        "Give it longer with --timeout, or look at its log",
      );
  }
}

function connected(check: string, { tools, transport }: State, said: Said): Finding {
  const count = tools === 1 ? "1 tool" : `${String(tools)} tools`;
  const message = `Connected, ${count}, ${String(transport)}`;
  if (said.leftOut > 0) {
    const more = said.leftOut > 1 ? ` and ${said.leftOut - 1} more` : "";
    return worth(check, `${message}; left out: ${said.why}${more}`, "Tell who maintains it");
  }
  if (tools === 0) {
    return worth(
      check,
      message,
      "Look at its include and exclude, and at what it needs to have any",
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
