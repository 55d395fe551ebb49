/** Folder of a project, and the configuration files that count for it. */

import { dirname, join, resolve } from "node:path";
import { isMissing, isSameFolder, ownerDistrust } from "#files";
import { ConfigError } from "./error.ts";
import type { ConfigFinding } from "./types.ts";

const MARKERS = [".onetool", ".mcp.json"];
const NAMES = [join(".onetool", "onetool.yaml"), join(".onetool", "config", "onetool.yaml")];

export interface Places {
  readonly cwd: string;
  readonly home: string;
}

export interface ProjectSearch {
  readonly project: string;
  /** Nearer folders that another user may have marked. */
  readonly findings: readonly ConfigFinding[];
}

/** The nearest folder, from `cwd` up, that has `.onetool/` or `.mcp.json`, else `cwd`.
 *
 * The home folder and folders above it are no projects: `~/.onetool` is for all of them. Nor is a
 * folder whose marker belongs to another user, who would decide which programs are started. */
export async function findProject(places: Places): Promise<string> {
  return (await searchProject(places)).project;
}

/** The same, with findings about folders that were skipped on the way. */
export async function searchProject({ cwd, home }: Places): Promise<ProjectSearch> {
  const start = resolve(cwd);
  const findings: ConfigFinding[] = [];
  for (let folder = start; !isSameFolder(folder, home); folder = dirname(folder)) {
    if (await isMarked(folder, findings)) return { project: folder, findings };
    if (dirname(folder) === folder) break;
  }
  // A marker in the folder itself is refused, with a finding, where it is read.
  return { project: start, findings: findings.filter(({ file }) => dirname(file) !== start) };
}

/** Real path of a project: secrets are lent, and trust is given, to it. Throws `ConfigError` where it
 * cannot be told. */
export async function realProject(path: string): Promise<string> {
  return await Deno.realPath(path).catch((error) => {
    // A home folder that does not exist is no project.
    if (isMissing(error, path)) return path;
    const message = "Cannot use the project: its real path cannot be told";
    const fix = "Give its folder, and those above it, names in UTF-8";
    throw new ConfigError([{ severity: "error", message, file: path, fix }], { cause: error });
  });
}

/** The configuration file of a folder, if it has one. */
export async function findFile(folder: string): Promise<string | undefined> {
  for (const name of NAMES) {
    const file = join(folder, name);
    // A folder, a pipe or a link that leads nowhere counts: it is refused, with a finding, where it
    // would be read.
    if (await Deno.lstat(file).then(() => true, () => false)) return file;
  }
  return undefined;
}

async function isMarked(folder: string, findings: ConfigFinding[]): Promise<boolean> {
  for (const name of MARKERS) {
    const file = join(folder, name);
    if (!await exists(file)) continue;
    const problem = ownerDistrust(file);
    if (!problem) return true;
    const message = `Passed over in the search for the project: ${problem.why}`;
    findings.push({ severity: "warning", message, file, fix: problem.fix });
  }
  return false;
}

async function exists(path: string): Promise<boolean> {
  // Missing or unreadable: both mean that it does not count.
  return await Deno.stat(path).then(() => true, () => false);
}
