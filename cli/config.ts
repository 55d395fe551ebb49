/** The configuration as a command asks for it, and how its findings are shown. */

import { relative } from "node:path";
import { type Config, ConfigError, type ConfigFinding, formatFinding, loadConfig } from "#config";
import { type Context, textOption } from "./context.ts";
import type { Printer } from "./print.ts";

/** Loads the configuration; its warnings go to stderr. */
export async function readConfig(context: Context): Promise<Config> {
  const config = await loadAnew(context);
  for (const finding of config.warnings) await context.print.warn(shown(finding, context.io.cwd));
  if (config.trust.kind === "untrusted") await context.print.warn(notTrusted(config));
  return config;
}

function notTrusted({ trust: { project, before } }: Config): string {
  const why = before ? "It has changed since it was trusted" : "Nobody has trusted it yet";
  return `Nothing that ${project} configures is started: ${why}: toolscript trust`;
}

/** Loads it and says nothing. */
export function loadAnew(context: Context): Promise<Config> {
  const { env, home, cwd } = context.io;
  return loadConfig({ explicit: textOption(context, "config"), env, home, cwd });
}

/** One line for each finding. */
export async function reportConfigError(
  error: unknown,
  { print, cwd }: { readonly print: Printer; readonly cwd: string },
): Promise<void> {
  if (!(error instanceof ConfigError)) throw error;
  for (const finding of error.findings) {
    if (finding.severity === "warning") await print.warn(shown(finding, cwd));
    else await print.error(shown(finding, cwd));
  }
}

function shown(finding: ConfigFinding, cwd: string): string {
  const near = relative(cwd, finding.file);
  const file = near === "" || near.startsWith("..") ? finding.file : near;
  return formatFinding({ ...finding, file });
}
