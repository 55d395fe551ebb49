/** `toolscript gateway status`: the running shared gateways, or the one named by `--gateway`. */

import { isObject } from "#base";
import { findGateways, type RunFile } from "#gateway/running";
import { createClient } from "../client.ts";
import { connectTo, sameAddress } from "../gateway_connection.ts";
import { type Context, textOption } from "../context.ts";

type Entry = Pick<RunFile, "url"> & Partial<RunFile>;

const TIMEOUT_MS = 2_000;

/** Prints the status; exit code 3 if no gateway responds. */
export async function status(context: Context): Promise<number> {
  const { io, print, options } = context;
  const files = await chooseEntries(context);
  const entries = await Promise.all(files.map(async (entry) => {
    const client = createClient({ url: entry.url, token: entry.token, fetch: io.fetch });
    return { entry, status: await client.peek("/status", TIMEOUT_MS) ?? null };
  }));
  if (options.json === true) {
    await print.json(entries.map(({ entry, status }) => ({ ...withoutToken(entry), status })));
  } else if (entries.length === 0) {
    await print.say('No gateway runs: start one with "toolscript gateway start"');
  } else {
    for (const { entry, status } of entries) await print.data(describe(entry, status));
  }
  return entries.some(({ status }) => isObject(status)) ? 0 : 3;
}

/** Lists the gateways. Throws `CliError` if the named one does not respond. */
async function chooseEntries(context: Context): Promise<Entry[]> {
  const files = await findGateways(context.io.home);
  const address = textOption(context, "gateway");
  if (address === undefined) return files.filter(({ shared }) => shared);
  await using connection = await connectTo(context, address);
  const { url } = connection.client;
  return [files.find((file) => sameAddress(file.url, url)) ?? { url }];
}

function withoutToken(entry: Entry): Record<string, unknown> {
  const { token: _, variables: __, startedAt, ...rest } = entry;
  return { ...rest, started_at: startedAt };
}

function describe(entry: Entry, status: unknown): string {
  const session = typeof entry.session === "string" ? `, session ${entry.session}` : "";
  const process = entry.pid === undefined ? "" : `  ${entry.project}  (pid ${entry.pid}${session})`;
  const head = `${entry.url}${process}`;
  if (!isObject(status)) return `${head}\n  does not answer`;
  const servers = isObject(status.servers) ? Object.entries(status.servers) : [];
  const lines = servers.map(([name, server]) => {
    const { status: state, tools, error } = isObject(server) ? server : {};
    return `  ${name}: ${state}, ${tools} tools${error ? `, ${error}` : ""}`;
  });
  return [head, ...lines].join("\n");
}
