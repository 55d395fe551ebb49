/** The shared gateway of a session, or of a project and configuration: found, else started. */

import { resolve } from "node:path";
import type { RunFile } from "#gateway/running";
import { type Context, textOption } from "../context.ts";
import { findShared, type GatewayKey, keepRunning } from "../gateway_connection.ts";
import { startDetached } from "./detach.ts";

const TIMEOUT_MS = 30_000;

export interface OpenSharedOptions {
  /** True for a gateway that ends after its last client. */
  readonly auto?: boolean;
}

/** Finds the gateway, or starts it in the background with the options of this command; one that is
 * found stays, unless it is opened for a client. Throws `CliError` where it cannot start. */
export async function openShared(
  context: Context,
  key: GatewayKey,
  { auto = context.options.auto === true }: OpenSharedOptions = {},
): Promise<RunFile> {
  const { io, options } = context;
  const running = await findShared(context, key);
  if (running && !auto) await keepRunning(context, running);
  if (running) return running;
  const words = ["gateway", "start"];
  for (const name of ["port", "host", "session"]) {
    const value = textOption(context, name);
    if (value !== undefined) words.push(`--${name}=${value}`);
  }
  const config = textOption(context, "config");
  if (config !== undefined) words.push(`--config=${resolve(io.cwd, config)}`);
  if (auto) words.push("--auto");
  if (options.verbose === true) words.push("--verbose");
  return await startDetached(io, {
    words,
    // A client's folder may be removed while the gateway goes on.
    cwd: auto ? key.project : io.cwd,
    timeoutMs: TIMEOUT_MS,
    find: () => findShared(context, key),
  });
}
