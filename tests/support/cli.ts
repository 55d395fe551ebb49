/** The program as a user starts it: `deno run -A main.ts …` in a process of its own. */

import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

export interface CliOptions {
  readonly home: string;
  readonly cwd: string;
  readonly env?: Record<string, string>;
  readonly stdin?: string;
  /** Program and arguments that start it, before its own. */
  readonly through?: readonly string[];
}

export interface CliResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The command and its environment, for tests that talk to the process while it runs. */
export function cliCommand(args: readonly string[], options: CliOptions): Deno.Command {
  const { DENO_DIR, TMPDIR } = Deno.env.toObject();
  const deno = [Deno.execPath(), "run", "-A", "--no-check", `--config=${ROOT}deno.json`];
  const [program = "", ...rest] = [...options.through ?? [], ...deno, `${ROOT}main.ts`, ...args];
  return new Deno.Command(program, {
    args: rest,
    cwd: options.cwd,
    clearEnv: true,
    env: {
      PATH: Deno.env.get("PATH") ?? "",
      HOME: options.home,
      DENO_DIR: DENO_DIR ?? defaultDenoDir(),
      ...(TMPDIR ? { TMPDIR } : {}),
      ...networkEnv(),
      TOOLSCRIPT_TRUST: "all",
      ...options.env,
    },
    stdin: options.stdin === undefined ? "null" : "piped",
    stdout: "piped",
    stderr: "piped",
  });
}

/** Runs the program to its end. */
export async function cli(args: readonly string[], options: CliOptions): Promise<CliResult> {
  const child = cliCommand(args, options).spawn();
  if (options.stdin !== undefined) {
    const writer = child.stdin.getWriter();
    // The program may end before it has read everything.
    await writer.write(new TextEncoder().encode(options.stdin)).catch(() => {});
    await writer.close().catch(() => {});
  }
  const { code, stdout, stderr } = await child.output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

/** Where this process keeps its modules, since the child has another home. */
function defaultDenoDir(): string {
  return `${Deno.env.get("XDG_CACHE_HOME") ?? `${Deno.env.get("HOME")}/.cache`}/deno`;
}

/** What a network's proxy and certificate authority need. */
function networkEnv(): Record<string, string> {
  const path =
    /^(https?_proxy|no_proxy|ssl_cert_file|ssl_cert_dir|node_extra_ca_certs|npm_config_.*)$/i;
  return Object.fromEntries(
    Object.entries(Deno.env.toObject()).filter(([name]) => path.test(name)),
  );
}
