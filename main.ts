/** The program: its command line, and the gateway that the command line and others start. */

import { homedir } from "node:os";
import process from "node:process";
import { fileURLToPath } from "node:url";
import manifest from "./deno.json" with { type: "json" };
import packageFlags from "./npm/deno_flags.json" with { type: "json" };
import type { GatewayOptions } from "#assembly";
import { http1Fetch } from "#base/http1_fetch";
import { importLate } from "#base/late";
import type { CliIo, OpenSink, RunningGateway } from "#cli";

const VERSION = manifest.version;
const STARTER_WATCH_MS = 1_000;
/** A gateway needs a quarter of the room that V8 gives new objects by default; all of it fills. */
const V8_FLAGS = packageFlags.filter((flag) => flag.startsWith("--v8-flags="));
type Assembly = typeof import("#assembly");
type Cli = typeof import("#cli");

/** Loads the parts where they are needed: an MCP client needs neither, the command line alone no
 * gateway. */
const assembly = () => importLate<Assembly>("./assembly/mod.ts", import.meta.url);
const cli = () => importLate<Cli>("./cli/mod.ts", import.meta.url);

/** Opens the port, starts the servers behind it, and answers until it is closed. */
export async function startGateway(
  options: Omit<GatewayOptions, "version" | "program">,
): Promise<RunningGateway> {
  const { startGateway } = await assembly();
  return await startGateway({ ...options, version: VERSION, program: restart() });
}

type Sinks = Record<"stdout" | "stderr", OpenSink>;

function createIo({ createScreen, openPerson, ...cli }: Cli, sinks: Sinks): CliIo {
  const env = Deno.env.toObject();
  const screen = createScreen(sinks);
  const { stdout, stderr } = screen;
  const home = env.HOME || homedir();
  return {
    stdout,
    stderr,
    screen,
    stdin: {
      get isTerminal() {
        return Deno.stdin.isTerminal();
      },
      get readable() {
        return Deno.stdin.readable;
      },
    },
    get person() {
      return Deno.stderr.isTerminal() ? openPerson() : undefined;
    },
    env,
    cwd: Deno.cwd(),
    home,
    version: VERSION,
    program: restart(),
    starter: starter(env.TOOLSCRIPT_NODE),
    now: Date.now,
    fetch: http1Fetch,
    startGateway: (options) => startGateway({ home, ...options, stderr }),
    serveClient,
    checkPacks: async (options) => (await assembly()).checkPacks({ ...options, home }),
    onSignal: cli.onSignal,
    onReload: cli.onReload,
    onUncaught: cli.onUncaught,
  };
}

/** The command that starts this program again: Deno with this file, which is JavaScript in the npm
 * package. */
function restart(): readonly string[] {
  const file = fileURLToPath(import.meta.url);
  const config = fileURLToPath(new URL("./deno.json", import.meta.url));
  const flags = file.endsWith(".js")
    ? packageFlags
    : ["run", "-A", "--quiet", "--no-check", ...V8_FLAGS, `--config=${config}`];
  return [Deno.execPath(), ...flags, file];
}

/** Serves the client of stdin and stdout with these options of `mcp`; this process ends with it. */
async function serveClient(options: readonly string[]): Promise<never> {
  const { default: { bridge } } = await import("./npm/bridge/bridge.cjs");
  const [command, ...args] = restart();
  const env = { ...Deno.env.toObject(), TOOLSCRIPT_STARTER: String(Deno.pid) };
  bridge({ command, args, options, env });
  return await new Promise<never>(() => {});
}

/** Command line of the starter, where this file is in the npm package and was started by it. */
function starter(node: string | undefined): readonly string[] | undefined {
  const file = fileURLToPath(new URL("./npm/starter.cjs", import.meta.url));
  return node !== undefined && import.meta.url.endsWith(".js") ? [node, file] : undefined;
}

/** Ends this process soon after the starter of the npm package, which may have been killed. */
function endWithStarter(): void {
  const starter = Number(Deno.env.get("TOOLSCRIPT_STARTER"));
  if (starter !== process.ppid) return;
  const watch = setInterval(() => {
    if (process.ppid !== starter) Deno.kill(Deno.pid, "SIGTERM");
  }, STARTER_WATCH_MS);
  Deno.unrefTimer(watch);
}

/** Gateways of this machine are reached directly, whatever proxy its network has. */
function reachLoopbackDirectly(): void {
  const configured = Deno.env.get("NO_PROXY") || Deno.env.get("no_proxy");
  const hosts = [configured, "127.0.0.1", "localhost", "::1"].filter(Boolean).join(",");
  for (const name of ["NO_PROXY", "no_proxy"]) Deno.env.set(name, hosts);
}

/** True for the command line of an MCP client; false where it may ask for something else. */
function isClient([command, ...words]: readonly string[]): boolean {
  return command === "mcp" && !words.some((word) => /^(open|-h|-V|--help|--version)$/.test(word));
}

if (import.meta.main) {
  reachLoopbackDirectly();
  endWithStarter();
  if (isClient(Deno.args)) await serveClient(Deno.args.slice(1));
  const parts = await cli();
  const env = Deno.env.toObject();
  const sinks: Sinks = {
    stdout: parts.openSink(Deno.stdout, env),
    stderr: parts.openSink(Deno.stderr, env),
  };
  const code = await parts.runCli(Deno.args, createIo(parts, sinks));
  await Promise.all([sinks.stdout.flush(), sinks.stderr.flush()]);
  Deno.exit(code);
}
