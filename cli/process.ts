/** The world of a real process, for `main.ts`. */

import { homedir } from "node:os";
import { fileURLToPath } from "node:url";
import type { CliIo, RunningGateway, Sink, StartGatewayOptions } from "./io.ts";

export interface CliIoOptions {
  readonly version: string;
  readonly startGateway: (options: StartGatewayOptions) => Promise<RunningGateway>;
}

/** What the command line touches, taken from this process. */
export function createCliIo({ version, startGateway }: CliIoOptions): CliIo {
  const env = Deno.env.toObject();
  return {
    version,
    startGateway,
    env,
    stdout: sink(Deno.stdout, env),
    stderr: sink(Deno.stderr, env),
    stdin: {
      get isTerminal() {
        return Deno.stdin.isTerminal();
      },
      get readable() {
        return Deno.stdin.readable;
      },
    },
    cwd: Deno.cwd(),
    home: env.HOME || homedir(),
    program: restart(),
    now: () => Date.now(),
    fetch: (input, init) => fetch(input, init),
    onSignal,
  };
}

function sink(stream: typeof Deno.stdout, env: Record<string, string>): Sink {
  const isTerminal = stream.isTerminal() && env.TERM !== "dumb";
  return {
    isTerminal,
    get columns() {
      return isTerminal ? Deno.consoleSize().columns : 80;
    },
    async write(data) {
      for (let at = 0; at < data.length;) at += await stream.write(data.subarray(at));
    },
  };
}

/** The command that starts this program again: the compiled one alone, else Deno with the module. */
function restart(): readonly string[] {
  if (Deno.build.standalone) return [Deno.execPath()];
  const main = Deno.mainModule;
  const config = new URL("./deno.json", main);
  return [
    Deno.execPath(),
    "run",
    "-A",
    "--no-check",
    `--config=${fileURLToPath(config)}`,
    fileURLToPath(main),
  ];
}

function onSignal(listener: (signal: "SIGINT" | "SIGTERM") => void): () => void {
  const heard = (["SIGINT", "SIGTERM"] as const).map((signal) => {
    const listen = () => listener(signal);
    Deno.addSignalListener(signal, listen);
    return () => Deno.removeSignalListener(signal, listen);
  });
  return () => {
    for (const stop of heard) stop();
  };
}
