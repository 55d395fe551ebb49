/** Checks of the configuration, its secrets and its folders. */

import { closeSync, constants, fchmodSync, openSync } from "node:fs";
import { access } from "node:fs/promises";
import { dirname, join } from "node:path";
import { attempt } from "#base";
import { type Config, ConfigError, type ConfigFinding, findFile, findProject } from "#config";
import { isInside, isSameFolder, linkBelow, stateDistrust } from "#files";
import { readPinChanges } from "#packs";
import { loadWhole } from "../config.ts";
import type { Context } from "../context.ts";
import type { CliIo } from "../io.ts";
import { shellQuote } from "../shell.ts";
import { bad, type Finding, good, worth } from "./types.ts";

/** Tools that one finding names. */
const MOST_TOOLS = 10;

export interface ConfigurationReport {
  /** Undefined for a configuration with errors. */
  readonly config: Config | undefined;
  readonly findings: readonly Finding[];
}

export async function checkConfig(context: Context): Promise<ConfigurationReport> {
  try {
    const config = await loadWhole(context);
    const { file, servers, warnings } = config;
    const count = servers.length === 1 ? "1 server" : `${servers.length} servers`;
    const first = file === null
      ? worth("config", `None for ${config.project}`, "Make one: toolscript init")
      : good("config", `${file}, ${count}`);
    return { config, findings: [first, ...warnings.map(toFinding)] };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { config: undefined, findings: error.findings.map(toFinding) };
  }
}

function toFinding({ severity, message, file, line, column, fix }: ConfigFinding): Finding {
  const place = line === undefined ? file : `${file}:${line}:${column ?? 1}`;
  return (severity === "error" ? bad : worth)("config", `${place}: ${message}`, fix);
}

/** Checks that the project is trusted. */
export function checkTrust({ trust }: Config): Finding[] {
  const { kind, project, before, items } = trust;
  if (kind === "none") return [];
  if (kind === "trusted") return [good("trust", `${project} is trusted`)];
  const state = before ? "has changed since it was trusted" : "is untrusted";
  const count = items.starts.length;
  const message = `${project} ${state}: ${count} untrusted servers and packs are not started`;
  return [worth("trust", message, "Review what it starts, and trust it: toolscript trust")];
}

/** Checks that no tool has changed since it was first seen. */
export function checkPins(config: Config): Finding[] {
  const { changes, damaged } = readPinChanges({ ...config, mode: config.security.pin });
  const tools = [...new Set(changes.map(({ tool }) => tool))];
  const fix = "Review them: toolscript pins. Accept them: toolscript pins accept SERVER";
  if (damaged !== undefined) return [worth("pins", `${damaged} is damaged`, fix)];
  if (tools.length === 0) return [];
  const more = tools.length > MOST_TOOLS ? ` and ${tools.length - MOST_TOOLS} more` : "";
  const list = `${tools.slice(0, MOST_TOOLS).join(", ")}${more}`;
  return [worth("pins", `Changed since they were first seen: ${list}`, fix)];
}

/** Checks that no other user can read files with secrets; `fix` corrects their mode. */
export async function checkSecrets(
  io: Pick<CliIo, "home" | "cwd">,
  { config, fix }: { readonly config: Config | undefined; readonly fix: boolean },
): Promise<Finding[]> {
  const project = config?.project ?? await findProject(io);
  const files = [
    config?.file ?? undefined,
    ...await Promise.all([io.home, project].map(findFile)),
  ];
  const folders = new Set(files.filter((file) => file !== undefined).map((file) => dirname(file)));
  const findings: Finding[] = [];
  for (const folder of folders) {
    const file = join(folder, "secrets.yaml");
    // A stranger may have made the links of a project.
    const isHomes = isSameFolder(project, io.home) || isInside(join(io.home, ".onetool"), file);
    const link = isHomes ? undefined : linkBelow(file, { root: project });
    const mode = await modeOf(file);
    if (mode === undefined) continue;
    if ((mode & 0o077) === 0) findings.push(good("secrets", file));
    else if (link !== undefined) {
      const message = `${file}: others can read what it leads to, and "${link}" is a link`;
      findings.push(bad("secrets", message, "Put the file itself there, with mode 0600"));
    } else if (fix) {
      chmodFile(await Deno.realPath(file), 0o600);
      findings.push(good("secrets", `${file}: mode changed to 0600`));
    } else {
      const octal = (mode & 0o777).toString(8).padStart(4, "0");
      const message = `${file}: others can read it (mode ${octal})`;
      findings.push(bad("secrets", message, `chmod 600 ${shellQuote(file)}`));
    }
  }
  return findings;
}

/** Changes the mode of a file, never that of the target of a link. */
function chmodFile(file: string, mode: number): void {
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  const handle = openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    fchmodSync(handle, mode);
  } finally {
    closeSync(handle);
  }
}

async function modeOf(file: string): Promise<number | undefined> {
  // Most projects have no secrets.
  const { isFile = false, mode } = await attempt(() => Deno.stat(file)) ?? {};
  return isFile ? mode ?? undefined : undefined;
}

/** Checks that state can be written to disk, without writing any. */
export async function checkFolders(
  { home }: Pick<CliIo, "home">,
  config: Config,
): Promise<Finding[]> {
  const { project, cacheDir, output, stats } = config;
  const own = join(home, ".onetool");
  const places = [
    { folder: cacheDir, root: dirname(cacheDir) },
    { folder: output.folder, root: project },
    { folder: join(own, "run"), root: own },
    ...(stats.enabled ? [{ folder: stats.folder, root: own }] : []),
  ];
  const problems = await Promise.all(places.map(folderProblem));
  // Two folders may have a parent in common.
  const findings = [
    ...new Map(problems.flatMap((problem) => problem ? [[problem.message, problem]] : [])).values(),
  ];
  if (findings.length > 0) return findings;
  const parents = [...new Set([dirname(output.folder), own])];
  return [good("folders", `State can be written below ${parents.join(" and ")}`)];
}

async function folderProblem(
  { folder, root }: { readonly folder: string; readonly root: string },
): Promise<Finding | undefined> {
  const link = linkBelow(folder, { root });
  if (link !== undefined) return bad("folders", `${link} is a link`, "Remove it");
  const existing = await nearest(folder);
  if (!(await Deno.stat(existing)).isDirectory) {
    return bad("folders", `${existing} is not a folder`, "Move it away");
  }
  const distrust = stateDistrust(folder, { root });
  if (distrust) return bad("folders", `${distrust.path}: ${distrust.why}`, distrust.fix);
  // Every system error here means a missing right.
  const problem = bad(
    "folders",
    `${existing} cannot be written`,
    "Give yourself the right to write there",
  );
  return await access(existing, constants.W_OK | constants.X_OK).catch(() => problem) ?? undefined;
}

/** Finds the folder, or its nearest parent that exists. */
async function nearest(path: string): Promise<string> {
  for (let at = path;; at = dirname(at)) {
    if (await attempt(() => Deno.stat(at)) || dirname(at) === at) return at;
  }
}
