/** Input and output of the command line, passed in by `main.ts`. */

import type { Log } from "#base";
import type { Config, ReloadOutcome } from "#config";
import type { McpBackend } from "#gateway/mcp";
import type { CheckedPacks } from "#packs";
import type { Person } from "./terminal/person.ts";
import type { Screen } from "./terminal/screen.ts";
import type { Sink } from "./terminal/sink.ts";

export interface Source {
  readonly isTerminal: boolean;
  readonly readable: ReadableStream<Uint8Array>;
}

export interface StartGatewayOptions {
  readonly config: Config;
  /** Reads the configuration again, for `ot.reload`. Throws `ConfigError`. */
  readonly load: () => Promise<Config>;
  /** True where other processes may use it: for `gateway start`, but not inside `exec`. */
  readonly shared: boolean;
  /** True to end after the last client. */
  readonly auto?: boolean;
  /** Session of the agent that it was started for. */
  readonly session: string | null;
  /** True to start a server only when a program names it, if its tools are cached. */
  readonly lazy: boolean;
  /** True to log everything. */
  readonly verbose?: boolean;
  /** True to write no run file, so that no other process finds it. */
  readonly hidden?: boolean;
  /** Home folder, where it is not that of the user. */
  readonly home?: string;
  readonly log: Log;
}

export interface CheckOptions {
  readonly config: Config;
  readonly log: Log;
  readonly signal: AbortSignal;
}

export interface RunningGateway {
  /** `http://127.0.0.1:43117`. */
  readonly url: string;
  readonly token: string;
  /** MCP backend, for use in this process without the port. */
  readonly mcp: McpBackend;
  /** Resolves when a gateway must end: it has no client left, or its port is another program's. */
  readonly left: Promise<void>;
  /** Reloads the configuration from disk. */
  reload(): Promise<ReloadOutcome>;
  /** Closes it gracefully and removes its run file. */
  close(): Promise<void>;
}

export interface CliIo {
  readonly stdout: Sink;
  readonly stderr: Sink;
  /** Questions on stderr, which hold both streams. */
  readonly screen: Pick<Screen, "ask" | "holding">;
  readonly stdin: Source;
  /** Person at the terminal; missing without a terminal. */
  readonly person?: Person;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly home: string;
  readonly version: string;
  /** Command that starts this program: `[deno, run, -A, main.ts]`. */
  readonly program: readonly string[];
  /** Command that other programs start this one by: Node and the starter of the npm package. */
  readonly starter?: readonly string[];
  /** Milliseconds. */
  readonly now: () => number;
  readonly fetch: typeof fetch;
  /** Opens a gateway in this process, with its run file. */
  readonly startGateway: (options: StartGatewayOptions) => Promise<RunningGateway>;
  /** Serves the client of stdin and stdout with these options of `mcp`; this process ends with it. */
  readonly serveClient: (options: readonly string[]) => Promise<never>;
  /** Loads every pack of `.onetool/tools` once, and reports the problems of each. */
  readonly checkPacks: (options: CheckOptions) => Promise<CheckedPacks>;
  /** Calls the listener on SIGINT and SIGTERM; returns the function that removes it. */
  readonly onSignal: (listener: (signal: "SIGINT" | "SIGTERM") => void) => () => void;
  /** Calls the listener on SIGHUP; returns the function that removes it. */
  readonly onReload: (listener: () => void) => () => void;
  /** Calls the listener with errors that nothing caught; returns the function that removes it. */
  readonly onUncaught: (listener: (error: unknown) => void) => () => void;
}
