/** How the process of a pack is started: `deno run` with its permissions, `uv run` with its
 * dependencies (WRK-01, WRK-05). */

import { createHash } from "node:crypto";
import { join, parse } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { openStateFolder } from "#files";
import { findOnPath } from "../../builtin/kit/find_on_path.ts";
import { childEnvironment } from "../../process/environment.ts";
import type { GroupCommand } from "../../process/process_group.ts";
import { toImportMap } from "./dependencies.ts";
import type { PackHeader } from "../describe/header.ts";
import { allow } from "./permissions.ts";
import type { Grants, PackFile } from "../types.ts";

export interface LaunchDeps {
  readonly deno: string;
  readonly project: string;
  readonly home: string;
  readonly cacheDir: string;
  /** The gateway's own environment. */
  readonly environment: Readonly<Record<string, string>>;
}

export interface Launch {
  readonly command: GroupCommand;
  /** What the header asks for and the configuration does not grant. */
  readonly missing: readonly string[];
}

const OWN = fileURLToPath(new URL("../deno/", import.meta.url));
const WORKER = fileURLToPath(new URL("../deno/worker.ts", import.meta.url));
/** What a pack imports as "toolscript". */
export const SDK = new URL("../deno/toolscript.ts", import.meta.url);
const PYTHON = fileURLToPath(new URL("../python/toolscript", import.meta.url));
const OLDEST_PYTHON = ">=3.9";

/** The command of a TypeScript pack. Throws for a dependency that is no package. */
export function launchDeno(
  { file, folder }: PackFile,
  header: PackHeader | undefined,
  { granted, deps }: { readonly granted: Grants; readonly deps: LaunchDeps },
): Launch {
  const { project, home } = deps;
  const map = toImportMap(header?.dependencies ?? [], SDK.href);
  const asked = header?.permissions ?? {};
  const { flags, missing } = allow(asked, granted, { project, home, folder, own: OWN });
  const args = ["run", "--quiet", "--no-prompt", "--no-config", "--no-lock", "--no-check"];
  args.push("--cached-only", "--node-modules-dir=none", ...flags);
  args.push(`--location=${ownLocation(file, project)}`);
  args.push(
    `--import-map=data:application/json,${encodeURIComponent(JSON.stringify(map))}`,
    WORKER,
  );
  const env = { ...childEnvironment(deps.environment, {}), NO_COLOR: "1" };
  return { command: { command: deps.deno, args, env, cwd: project }, missing };
}

/** Deno keeps `localStorage` and `caches`, those of threads too, by the origin of this address: one
 * for each pack of each project, so that none reads or replaces what another has stored. */
function ownLocation(file: string, project: string): string {
  const own = createHash("sha256").update(JSON.stringify([project, file])).digest("hex");
  return `http://${own.slice(0, 32)}.invalid/`;
}

/** The command of a Python pack, whose dependencies `uv` reads from its own header. */
export function launchPython(
  { file }: PackFile,
  header: PackHeader | undefined,
  { uv, deps }: { readonly uv: string; readonly deps: LaunchDeps },
): Launch {
  const args = ["run", "--quiet", "--no-project", "--no-env-file"];
  args.push("--python", header?.requiresPython ?? OLDEST_PYTHON);
  if (header) args.push("--with-requirements", file);
  const compiled = join(deps.cacheDir, "pycache");
  openStateFolder(compiled, { root: deps.cacheDir });
  args.push("--", "python", "-X", `pycache_prefix=${compiled}`);
  args.push(PYTHON, deps.project);
  const own = Object.entries(deps.environment).filter(([name]) => name.startsWith("UV_"));
  // What is there for uv alone is taken out again before the pack's code is loaded.
  const env = childEnvironment(deps.environment, Object.fromEntries(own));
  // In the project, uv would take its `uv.toml` and run the Python of its `.venv`, which are no part
  // of the pack: whoever may write there would choose what is run.
  return { command: { command: uv, args, env, cwd: parse(deps.project).root }, missing: [] };
}

/** `uv` where a program is looked for, or where its installers put it. */
export async function findUv(
  { environment, home, project }: Pick<LaunchDeps, "environment" | "home" | "project">,
): Promise<string | undefined> {
  const name = Deno.build.os === "windows" ? "uv.exe" : "uv";
  const known = findOnPath(name, { environment, project });
  if (known !== undefined) return known;
  for (const folder of [".local/bin", ".cargo/bin"]) {
    const path = join(home, folder, name);
    const found = await Deno.stat(path).catch(() => undefined);
    if (found?.isFile) return path;
  }
  return undefined;
}

/** Address of a pack's own file, as its process imports it. */
export function moduleAddress({ file }: PackFile): string {
  return pathToFileURL(file).href;
}
