/** Starts a sandbox process: folder, import map, flags, environment. */

import type { Limits, SandboxSettings } from "../types.ts";
import { behindWalls, type Walls } from "./walls.ts";
import { builtinModules } from "node:module";

export interface LaunchOptions {
  readonly origin: string;
  readonly secret: string;
  /** The main module. Every user of the host can read a command line: no secret is in it. */
  readonly entry: string;
  /** Folder above the process's own. */
  readonly root: string;
  readonly limits: SandboxSettings;
  readonly walls: Walls;
  readonly deno: string;
  readonly now: number;
}

export interface Launched {
  readonly child: Deno.ChildProcess;
  /** Holds the import map and Deno's caches; removed when the process is dead. */
  readonly folder: string;
}

/** Starts one process, which requests its loader and waits. Throws where the system refuses it. */
export function launch(options: LaunchOptions): Launched {
  const folder = Deno.makeTempDirSync({ dir: options.root, prefix: "p-" });
  try {
    closeCaches(`${folder}/deno`);
    return { child: spawnIn(folder, options), folder };
  } catch (error) {
    Deno.removeSync(folder, { recursive: true });
    throw error;
  }
}

/** Folders that Deno fills with what it makes of modules, and of data: a program could fill the disk by
 * modules that it makes up (`data:`). Deno does without where it finds a file in their place. */
const CACHE_FOLDERS = ["gen", "npm", "location_data"];
/** Databases of the same; Deno does without where it finds a folder. */
const CACHE_FILES = ["dep_analysis_cache_v2", "node_analysis_cache_v2"];

/** Leaves of Deno's caches the modules that the gateway serves, which are counted. */
function closeCaches(folder: string): void {
  Deno.mkdirSync(folder);
  for (const name of CACHE_FOLDERS) Deno.writeFileSync(`${folder}/${name}`, new Uint8Array());
  for (const name of CACHE_FILES) Deno.mkdirSync(`${folder}/${name}`);
}

function spawnIn(folder: string, options: LaunchOptions): Deno.ChildProcess {
  const { origin, secret, entry, limits, walls, deno, now } = options;
  const base = `${origin}/r/${secret}`;
  const map = `${folder}/import_map.json`;
  const stamp = `${now}-${secret.slice(0, 8)}`;
  Deno.writeTextFileSync(map, importMap({ base, stamp }), { mode: 0o600 });
  const command = [deno, ...flags(new URL(origin).host, map, limits), entry];
  const [program = deno, ...args] = behindWalls(walls, command, { limits, folder });
  return new Deno.Command(program, {
    args,
    clearEnv: true,
    env: environment(base, folder),
    cwd: folder,
    detached: walls.setsid === undefined,
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
}

/** Programs end before they have filled a new space of this size, so nothing is collected. */
const V8_FLAGS = "--min-semi-space-size=16";

function flags(host: string, map: string, limits: Limits): string[] {
  return [
    "run",
    "--quiet",
    "--no-prompt",
    "--no-config",
    "--no-lock",
    "--no-npm",
    "--no-check",
    "--no-code-cache", // of a folder that no other process sees
    "--node-modules-dir=none",
    `--import-map=${map}`,
    `--allow-import=${host}`,
    `--allow-net=${host}`,
    "--allow-env=TOOLSCRIPT_GATEWAY_URL",
    "--ignore-env",
    "--deny-read",
    "--deny-write",
    "--deny-run",
    "--deny-sys",
    "--deny-ffi",
    `--v8-flags=--max-old-space-size=${Math.ceil(limits.memoryMb)},${V8_FLAGS}`,
  ];
}

/** Deno itself reads these; the program may see the first only. */
function environment(base: string, folder: string): Record<string, string> {
  return {
    TOOLSCRIPT_GATEWAY_URL: base,
    DENO_DIR: `${folder}/deno`,
    DENO_NO_UPDATE_CHECK: "1",
    NO_COLOR: "1",
  };
}

interface Addresses {
  /** Address of the run. */
  readonly base: string;
  readonly stamp: string;
}

/** Node's built-ins, as an import map closes them. */
const CLOSED_MODULES = closedModules();

function closedModules(): Record<string, null> {
  const modules: Record<string, null> = {};
  for (const name of builtinModules) {
    modules[name.startsWith("node:") ? name : `node:${name}`] = null;
  }
  for (const name of ["node:sqlite", "node:test", "node:test/reporters", "node:sea"]) {
    modules[name] = null;
  }
  return modules;
}

/** Maps `toolscript` to the gateway's module at an address that is never used again, and closes
 * local files, node's built-ins, and all addresses but those of the run's modules. */
function importMap({ base, stamp }: Addresses): string {
  const imports: Record<string, string | null> = {
    toolscript: `${base}/runtime/tools.ts?_t=${stamp}`,
    "file:///": null,
    // By scheme: a user in an address makes it another text than the gateway's own.
    "http://": null,
    "https://": null,
    ...CLOSED_MODULES,
  };
  for (const folder of ["program", "runtime"]) imports[`${base}/${folder}/`] = `${base}/${folder}/`;
  return JSON.stringify({ imports });
}
