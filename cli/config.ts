/** Configuration of a command, and the output of its findings. */

import { escapeUnseen } from "#base";
import { type Config, ConfigError, type ConfigFinding, formatFinding, loadConfig } from "#config";
import { type Context, textOption } from "./context.ts";
import { nearPath } from "./paths.ts";
import type { Printer } from "./print.ts";

/** Loads the configuration as far as files and variables give it; its warnings go to stderr. */
export async function readConfig(context: Context): Promise<Config> {
  const config = await loadAnew(context);
  await printWarnings(config, context);
  if (config.trust.kind === "untrusted") await context.print.warn(notTrusted(config));
  return config;
}

/** Prints what is odd in a configuration, or was not read. */
export async function printWarnings(
  { warnings }: Pick<Config, "warnings">,
  { print, io }: Context,
): Promise<void> {
  for (const finding of warnings) await print.warn(findingText(finding, io.cwd));
}

function notTrusted({ trust: { project, before } }: Config): string {
  const state = before ? "it has changed since it was trusted" : "it is not trusted";
  return `Cannot start what "${escapeUnseen(project)}" configures: ${state}: toolscript trust`;
}

/** Loads the configuration as far as files and variables give it, and prints nothing. */
export function loadAnew(context: Context): Promise<Config> {
  return load(context, { isPartial: true });
}

/** Does the same; undefined where the configuration has errors, which other commands name. */
export async function loadReadable(context: Context): Promise<Config | undefined> {
  try {
    return await loadAnew(context);
  } catch (error) {
    if (error instanceof ConfigError) return undefined;
    throw error;
  }
}

/** The context without the variable that trusts every project, for what is said or stored of the trust
 * that a person has given. */
export function withStoredTrust(context: Context): Context {
  const { io } = context;
  return { ...context, io: { ...io, env: { ...io.env, TOOLSCRIPT_TRUST: undefined } } };
}

/** Loads the configuration with what the keychain, 1Password and programs give: what a gateway
 * starts with. */
export function loadWhole(context: Context): Promise<Config> {
  return load(context, { isPartial: false });
}

/** Adds what the keychain, 1Password and programs give. */
export async function complete(context: Context, config: Config): Promise<Config> {
  return config.isPartial ? await loadWhole(context) : config;
}

function load(context: Context, { isPartial }: { readonly isPartial: boolean }): Promise<Config> {
  const { env, home, cwd } = context.io;
  return loadConfig({ explicit: textOption(context, "config"), env, home, cwd, isPartial });
}

/** Prints one line for each finding. */
export async function reportConfigError(
  error: unknown,
  { print, cwd }: { readonly print: Printer; readonly cwd: string },
): Promise<void> {
  if (!(error instanceof ConfigError)) throw error;
  for (const finding of error.findings) {
    if (finding.severity === "warning") await print.warn(findingText(finding, cwd));
    else await print.error(findingText(finding, cwd));
  }
}

function findingText(finding: ConfigFinding, cwd: string): string {
  return formatFinding({ ...finding, file: nearPath(finding.file, cwd) });
}
