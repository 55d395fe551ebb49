/** Checks of the machine: Deno, the tools that confine a run, uv, a proxy. */

import { delimiter, isAbsolute, parse } from "node:path";
import { findProgram } from "#base";
import { searchPath } from "#files";
import { childEnvironment, findUv } from "#packs";
import type { CliIo } from "../io.ts";
import { bad, type Finding, good, worth } from "./types.ts";

const OLDEST_DENO = [2, 9] as const;
const UV_MS = 10_000;
const WALLS = { prlimit: "limits on memory and CPU", setpriv: "the end of a run with its gateway" };
const PROXIES = ["HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY"];

export function checkVersions({ version }: CliIo): Finding[] {
  const { deno } = Deno.version;
  const [major = 0, minor = 0] = deno.split(".").map(Number);
  const [oldest, least] = OLDEST_DENO;
  const isNew = major > oldest || (major === oldest && minor >= least);
  return [
    good("toolscript", `Version ${version}, on ${Deno.build.os} ${Deno.build.arch}`),
    isNew
      ? good("deno", `Version ${deno}`)
      : bad("deno", `Version ${deno} is too old`, `Install Deno ${OLDEST_DENO.join(".")} or newer`),
  ];
}

/** Checks for the second line of defence; Deno's permissions work without it. */
export function checkWalls(): Finding[] {
  const missing = Object.entries(WALLS).filter(([name]) => findProgram(name) === undefined);
  if (missing.length === 0) {
    return [good("walls", `Deno's permissions, ${Object.keys(WALLS).join(", ")}`)];
  }
  const consequences = missing.map(([name, what]) => `no ${name}: without it there is no ${what}`);
  const fix = Deno.build.os === "linux"
    ? "Install util-linux"
    : `There is none on ${Deno.build.os}: memory is watched instead`;
  return [worth("walls", `Deno's permissions, but ${consequences.join("; ")}`, fix)];
}

/** Checks that no other user can put a program in a folder of `PATH`. */
export function checkPath({ env }: CliIo): Finding[] {
  const { PATH = "" } = env;
  const searched = new Set(searchPath(PATH, { env }).split(delimiter));
  const others = PATH.split(delimiter).filter((folder) =>
    isAbsolute(folder) && !searched.has(folder)
  );
  if (others.length === 0) return [];
  const message = `Not searched, as another user can put programs there: ${others.join(", ")}`;
  const fix = "Close each, and the folders above it, to others (chmod go-w, chown), " +
    "or take it out of PATH";
  return [worth("path", message, fix)];
}

/** Checks for uv, which only packs in Python need. */
export async function checkUv(
  { env, home }: CliIo,
  { isNeeded, project }: { readonly isNeeded: boolean; readonly project: string },
): Promise<Finding[]> {
  const set = Object.entries(env).filter((entry): entry is [string, string] => !!entry[1]);
  const environment = Object.fromEntries(set);
  const uv = await findUv({ environment, home, project });
  const fix = "Install it: https://docs.astral.sh/uv/getting-started/installation/";
  if (uv === undefined) {
    if (isNeeded) return [bad("uv", "Not found: packs in Python need it", fix)];
    return [good("uv", "Not found; only packs in Python need it")];
  }
  try {
    const signal = AbortSignal.timeout(UV_MS);
    // A version manager runs what files of the folder name.
    const { success, stdout } = await new Deno.Command(uv, {
      args: ["--version"],
      stdin: "null",
      stderr: "null",
      signal,
      cwd: parse(project).root,
      env: childEnvironment(environment, {}, { project }),
      clearEnv: true,
    }).output();
    if (success) return [good("uv", new TextDecoder().decode(stdout).trim().slice(0, 200))];
  } catch {
    // Reported below, for any reason.
  }
  return [(isNeeded ? bad : worth)("uv", `"${uv}" cannot be run`, fix)];
}

/** Checks the proxy variables; prints them without user name and password. */
export function checkProxy({ env }: CliIo): Finding[] {
  const proxies: string[] = [];
  for (const name of PROXIES) {
    const value = env[name] || env[name.toLowerCase()];
    if (!value) continue;
    const text = value.includes("://") ? value : `http://${value}`;
    if (!URL.canParse(text) || new URL(text).host === "") {
      return [bad("proxy", `${name} is not a URL`, `Correct it, or unset ${name}`)];
    }
    const { protocol, host } = new URL(text);
    proxies.push(`${name} is ${protocol}//${host}`);
  }
  return [
    good(
      "proxy",
      proxies.length === 0 ? "None" : `${proxies.join(", ")}; not used for this machine`,
    ),
  ];
}
