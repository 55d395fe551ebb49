/** Command of a pack's process: `deno run` with its permissions, `uv run` with its dependencies
 * (WRK-01, WRK-05). */

import { createHash } from "node:crypto";
import { join, parse } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { isSameFolder, openStateFolder } from "#files";
import { findOnPath } from "../../builtin/kit/find_on_path.ts";
import { childEnvironment } from "../../process/environment.ts";
import { choosesPrograms, withoutManagers } from "../../version_manager.ts";
import type { GroupCommand } from "../../process/process_group.ts";
import { toImportMap } from "./dependencies.ts";
import type { PackHeader } from "../describe/header.ts";
import type { Closed } from "./closed_names.ts";
import { allow, pathFlags, type Places } from "./permissions.ts";
import type { Grants, PackFile } from "../types.ts";

export interface LaunchDeps {
  readonly deno: string;
  readonly project: string;
  readonly home: string;
  readonly cacheDir: string;
  /** The gateway's own environment. */
  readonly environment: Readonly<Record<string, string>>;
}

const OWN = fileURLToPath(new URL("../deno/", import.meta.url));
const WORKER = fileURLToPath(new URL("../deno/worker.ts", import.meta.url));
/** Module that a pack imports as "toolscript". */
export const SDK = new URL("../deno/toolscript.ts", import.meta.url);
const PYTHON = fileURLToPath(new URL("../python/toolscript", import.meta.url));
const OLDEST_PYTHON = ">=3.9";

/** Command of a TypeScript pack. Throws for an invalid dependency. */
export function launchDeno(
  pack: PackFile,
  header: PackHeader | undefined,
  { granted, closed, deps }: {
    readonly granted: Grants;
    readonly closed: Closed;
    readonly deps: LaunchDeps;
  },
): GroupCommand {
  const { project } = deps;
  const map = toImportMap(header?.dependencies ?? [], SDK.href);
  const places = placesOf(pack, deps);
  const { flags, paths } = allow(header?.permissions ?? {}, granted, places);
  const args = ["run", "--quiet", "--no-prompt", "--no-config", "--no-lock", "--no-check"];
  args.push(
    "--cached-only",
    "--node-modules-dir=none",
    ...flags,
    ...pathFlags(paths, closed, places),
  );
  args.push(`--location=${ownLocation(pack.file, project)}`);
  args.push(
    `--import-map=data:application/json,${encodeURIComponent(JSON.stringify(map))}`,
    WORKER,
  );
  const env = { ...environmentOf(pack, {}, deps), NO_COLOR: "1" };
  return { command: deps.deno, args, env, cwd: project };
}

/** A pack of the home folder finds no program of the open project, nor one that the project chooses. */
function environmentOf(
  { scope }: PackFile,
  own: Readonly<Record<string, string>>,
  { environment, project, home }: LaunchDeps,
): Record<string, string> {
  if (scope !== "home" || isSameFolder(project, home)) return childEnvironment(environment, own);
  const env = childEnvironment(environment, own, { project });
  const { PATH: path = "" } = env;
  const isChosen = choosesPrograms({ path, home, cwd: project });
  return isChosen ? { ...env, PATH: withoutManagers(path) } : env;
}

/** Places that the permissions of a TypeScript pack depend on. */
export function placesOf(
  { folder }: Pick<PackFile, "folder">,
  { project, home }: Pick<LaunchDeps, "project" | "home">,
): Places {
  return { project, home, folder, own: OWN };
}

/** Address whose origin keys `localStorage` and `caches` in Deno, also in threads: one for each pack
 * of each project, so that packs do not share storage. */
function ownLocation(file: string, project: string): string {
  const own = createHash("sha256").update(JSON.stringify([project, file])).digest("hex");
  return `http://${own.slice(0, 32)}.invalid/`;
}

/** Command of a Python pack; `uv` reads the dependencies from its header. */
export function launchPython(
  pack: PackFile,
  header: PackHeader | undefined,
  { uv, deps }: { readonly uv: string; readonly deps: LaunchDeps },
): GroupCommand {
  const args = ["run", "--quiet", "--no-project", "--no-env-file"];
  args.push("--python", header?.requiresPython ?? OLDEST_PYTHON);
  if (header) args.push("--with-requirements", pack.file);
  const compiled = join(deps.cacheDir, "pycache");
  openStateFolder(compiled, { root: deps.cacheDir });
  args.push("--", "python", "-X", `pycache_prefix=${compiled}`);
  args.push(PYTHON, deps.project);
  const own = Object.entries(deps.environment).filter(([name]) => name.startsWith("UV_"));
  // The variables of uv are removed again before the pack's code is loaded.
  const env = environmentOf(pack, Object.fromEntries(own), deps);
  // In the project, uv would read its `uv.toml` and run the Python of its `.venv`, which are not parts
  // of the pack: any writer of the project could choose the interpreter.
  return { command: uv, args, env, cwd: parse(deps.project).root };
}

/** Finds `uv` on the path, or where its installers put it. */
export async function findUv(
  { environment, home, project }: Pick<LaunchDeps, "environment" | "home" | "project">,
): Promise<string | undefined> {
  const name = Deno.build.os === "windows" ? "uv.exe" : "uv";
  const onPath = findOnPath(name, { environment, project });
  if (onPath !== undefined) return onPath;
  for (const folder of [".local/bin", ".cargo/bin"]) {
    const path = join(home, folder, name);
    const info = await Deno.stat(path).catch(() => undefined);
    if (info?.isFile) return path;
  }
  return undefined;
}

/** Address of a pack's file for import by its process. */
export function moduleAddress({ file }: PackFile): string {
  return pathToFileURL(file).href;
}
