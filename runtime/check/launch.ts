/** Start of the compiler's process: its executable and its limits. */

import manifest from "typescript/package.json" with { type: "json" };
import { dirname } from "node:path";
import { findProgram } from "#base";
import { type Channel, type ChannelOptions, openChannel } from "./channel.ts";
import { CALLBACKS } from "./virtual_files.ts";

/** The compiler's version, as pinned in the import map. */
export const VERSION: string = manifest.version;

export interface Launched {
  readonly child: Deno.ChildProcess;
  readonly channel: Channel;
  /** True if the operating system limits the memory; otherwise the caller must watch it. */
  readonly limited: boolean;
}

/** Memory of the compiler's process, and where its collector begins to hurry. */
export const MEMORY_MB = 512;
const SOFT_MB = 384;
const CPU_SECONDS = 4 * 3_600;

/** Environment of the compiler: it collects garbage half as often as by default. */
const ENVIRONMENT = { GOGC: "200", GOMEMLIMIT: `${SOFT_MB}MiB`, GOTRACEBACK: "none" };

/** The compiler's own executable, from the platform's package. */
export async function findCompiler(): Promise<string> {
  const home = import.meta.resolve("typescript/package.json");
  // The package finds the executable of this platform itself, in a file it does not export.
  const { default: find }: { default: () => string } = await import(
    new URL("./lib/getExePath.js", home).href
  );
  return find();
}

/** Starts `executable` within its limits and not past the gateway's end; `talk` has the files that it
 * asks for. */
export function launchCompiler(
  executable: string,
  talk: Pick<ChannelOptions, "answer" | "mostBytes">,
): Launched {
  const line = [executable, "--api", "--cwd", "/", `--callbacks=${CALLBACKS.join(",")}`];
  const prlimit = findProgram("prlimit");
  const setpriv = findProgram("setpriv");
  if (prlimit) {
    const data = MEMORY_MB * 1024 * 1024;
    line.unshift(prlimit, `--data=${data}`, `--cpu=${CPU_SECONDS}`, "--core=0", "--fsize=0", "--");
  }
  if (setpriv) line.unshift(setpriv, "--no-new-privs", "--pdeathsig", "KILL", "--");
  const [command = executable, ...args] = line;
  const child = new Deno.Command(command, {
    args,
    cwd: dirname(executable),
    clearEnv: true,
    env: ENVIRONMENT,
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const channel = openChannel({ input: child.stdout, output: child.stdin, ...talk });
  return { child, channel, limited: prlimit !== undefined };
}
