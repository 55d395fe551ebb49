/** `toolscript gateway status`: the shared gateways that run. */

import { findGateways, type RunFile } from "#gateway/running";
import { isObject } from "#sandbox/json";
import { createClient } from "../client.ts";
import type { Context } from "../context.ts";

const TIMEOUT_MS = 2_000;

export async function status({ io, print, options }: Context): Promise<number> {
  const shared = (await findGateways(io.home)).filter((entry) => entry.shared);
  const entries = await Promise.all(shared.map(async (entry) => {
    const client = createClient({ ...entry, fetch: io.fetch });
    return { entry, status: await client.peek("/status", TIMEOUT_MS) ?? null };
  }));
  if (options.json === true) {
    await print.json(entries.map(({ entry, status }) => ({ ...withoutToken(entry), status })));
  } else if (entries.length === 0) {
    await print.say('No gateway runs: start one with "toolscript gateway start"');
  }
  if (options.json !== true) {
    for (const { entry, status } of entries) await print.data(describe(entry, status));
  }
  return entries.length > 0 ? 0 : 3;
}

function withoutToken(entry: RunFile): Record<string, unknown> {
  const { token: _, startedAt, ...rest } = entry;
  return { ...rest, started_at: startedAt };
}

function describe(entry: RunFile, status: unknown): string {
  const session = entry.session === null ? "" : `, session ${entry.session}`;
  const head = `${entry.url}  ${entry.project}  (pid ${entry.pid}${session})`;
  if (!isObject(status)) return `${head}\n  does not answer`;
  const servers = isObject(status.servers) ? Object.entries(status.servers) : [];
  const lines = servers.map(([name, server]) => {
    const { status: state, tools, error } = isObject(server) ? server : {};
    return `  ${name}: ${state}, ${tools} tools${error ? `, ${error}` : ""}`;
  });
  return [head, ...lines].join("\n");
}
