/** `toolscript list [SERVER]`: the tools there are. */

import { isObject } from "#sandbox/json";
import { connect } from "../connect.ts";
import type { Context } from "../context.ts";
import { CliError } from "../error.ts";
import { fetchTools, type ListedTool } from "./ready.ts";
import { namesTable } from "./table.ts";

export async function list(context: Context): Promise<number> {
  const { operands: [server], options, print, io } = context;
  await using connection = await connect(context);
  const { client } = connection;
  const all = await fetchTools(client, print);
  const status = await client.peek("/status", 5_000);
  const servers = serverNames(status, all);
  if (server !== undefined && !servers.includes(server)) {
    throw new CliError(3, await unknownServer(server, servers));
  }
  const tools = all.filter((tool) => server === undefined || tool.server === server);
  if (options.json === true) await print.json(tools);
  else if (tools.length > 0) await print.data(namesTable(tools, io.stdout.columns));
  else await print.say("No tools");
  for (const line of missing(status, server)) await print.warn(line);
  return 0;
}

/** Why tools that the config promises are not listed. */
function missing(status: unknown, server: string | undefined): string[] {
  const servers = isObject(status) && isObject(status.servers) ? status.servers : {};
  return Object.entries(servers)
    .filter(([name, about]) =>
      isObject(about) && (server === undefined || name === server) && about.tools === 0 &&
      (about.status === "disconnected" || about.status === "needs-auth")
    )
    .map(([name, about]) =>
      `No tools of "${name}": ${isObject(about) ? about.error ?? about.status : ""}`
    );
}

/** Every server, also one that has no tools at the moment. */
function serverNames(status: unknown, tools: readonly ListedTool[]): string[] {
  const servers = isObject(status) && isObject(status.servers) ? Object.keys(status.servers) : [];
  return [...new Set([...servers, ...tools.map((tool) => tool.server)])];
}

async function unknownServer(server: string, known: readonly string[]): Promise<string> {
  const { closest } = await import("#packs/nearest");
  const near = closest(server, known);
  const available = known.length === 0 ? "none are configured" : `there are ${known.join(", ")}`;
  const way = near === undefined ? available : `did you mean "${near}"?`;
  return `Cannot list ${JSON.stringify(server)}: no such server: ${way}`;
}
