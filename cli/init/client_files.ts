/** Servers in the configuration files of other MCP clients. */

import { join } from "node:path";
import { escapeUnseen, messageOf } from "#base";
import { type ClientFile, FileProblem } from "../connect/client_file.ts";
import { type Client, CLIENT_TABLE, type Entry } from "../connect/clients.ts";
import { serversIn } from "../connect/edit.ts";
import { readTarget } from "../connect/targets.ts";
import type { CliIo } from "../io.ts";

export interface ClientServer {
  readonly name: string;
  readonly entry: Entry;
  /** File of the entry. */
  readonly file: string;
  /** True where the client starts its servers in no project. */
  readonly isApart: boolean;
}

export interface ClientServers {
  readonly servers: readonly ClientServer[];
  /** Messages about files that cannot be read. */
  readonly problems: readonly string[];
}

const IN_PROJECT = ["claude-code", "cursor", "vscode"] as const;

/** Reads the files of the clients of a folder, which no link may lead out of but in the home folder;
 * Claude Desktop has one for all folders. */
export function readClients(
  root: string,
  { io, desktop }: { readonly io: CliIo; readonly desktop: boolean },
): ClientServers {
  const servers: ClientServer[] = [];
  const problems: string[] = [];
  const take = (client: Client, path: string, { isOwn = false, isRequired = false }) => {
    try {
      const file = readTarget({ file: path, ...isOwn || root === io.home ? {} : { root } });
      if (isRequired && file.bytes === undefined) throw new FileProblem("no such file");
      const isApart = client.project === undefined;
      servers.push(...serversOf(client, { file, isApart }));
    } catch (error) {
      problems.push(escapeUnseen(`Cannot take servers from "${path}": ${messageOf(error)}`));
    }
  };
  for (const name of IN_PROJECT) {
    const client = CLIENT_TABLE[name];
    if (client.project !== undefined) take(client, join(root, client.project), {});
  }
  const claude = CLIENT_TABLE["claude-desktop"];
  const user = claude.user({ ...io, os: Deno.build.os });
  if (desktop) take(claude, user, { isOwn: true, isRequired: true });
  return { servers, problems };
}

/** Servers of one file, in the words of `mcpServers`. */
function serversOf(
  client: Client,
  { file: { text, path }, isApart }: Pick<ClientServer, "isApart"> & { readonly file: ClientFile },
): ClientServer[] {
  return [...serversIn(text, client)].map(([name, entry]) => ({
    name,
    entry: client.read ? client.read(entry) : entry,
    file: path,
    isApart,
  }));
}
