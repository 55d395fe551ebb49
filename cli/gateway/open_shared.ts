/** The shared gateway of a session, or of a project and configuration: found, else started. */

import type { RunFile } from "#gateway/running";
import { type Context, textOption } from "../context.ts";
import { findShared, type GatewayKey } from "../gateway_connection.ts";
import { startDetached } from "./detach.ts";

const TIMEOUT_MS = 30_000;

/** Finds the gateway, or starts it in the background with the options of this command. Throws
 * `CliError` where it cannot start. */
export async function openShared(context: Context, key: GatewayKey): Promise<RunFile> {
  const { io, options } = context;
  const running = await findShared(context, key);
  if (running) return running;
  const words = ["gateway", "start"];
  for (const name of ["config", "port", "host", "session"]) {
    const value = textOption(context, name);
    if (value !== undefined) words.push(`--${name}=${value}`);
  }
  if (options.verbose === true) words.push("--verbose");
  return await startDetached(io, {
    words,
    cwd: io.cwd,
    timeoutMs: TIMEOUT_MS,
    find: () => findShared(context, key),
  });
}
