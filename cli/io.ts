/** What the command line touches of the world, handed in by `main.ts`. */

import type { Config, ReloadOutcome } from "#config";
import type { McpBackend } from "#gateway/mcp";
import type { CheckedPacks } from "#packs";
import type { Log } from "#sandbox";
import type { Person } from "./person.ts";

export interface Sink {
  readonly isTerminal: boolean;
  /** Width of the terminal. */
  readonly columns: number;
  write(data: Uint8Array): Promise<void>;
}

export interface Source {
  readonly isTerminal: boolean;
  readonly readable: ReadableStream<Uint8Array>;
}

export interface StartGatewayOptions {
  readonly config: Config;
  /** Reads the configuration anew, for `ot.reload`. Throws `ConfigError`. */
  readonly load: () => Promise<Config>;
  /** Whether others may use it: true for `gateway start`, false for one inside `exec`. */
  readonly shared: boolean;
  /** The agent's session that it was started for. */
  readonly session: string | null;
  /** Whether a server is started only once a program names it, if its tools are known. */
  readonly lazy: boolean;
  /** Whether everything is to be logged. */
  readonly verbose?: boolean;
  /** Whether nobody is to find it: it has no run file. */
  readonly hidden?: boolean;
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
  /** Answers MCP in this process, without a detour over the port. */
  readonly mcp: McpBackend;
  /** Takes in the configuration as it is on disk now. */
  reload(): Promise<ReloadOutcome>;
  /** Ends it gracefully; its run file is gone afterwards. */
  close(): Promise<void>;
}

export interface CliIo {
  readonly stdout: Sink;
  readonly stderr: Sink;
  readonly stdin: Source;
  /** Who can be asked; missing where nobody sits at a terminal. */
  readonly person?: Person;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly home: string;
  readonly version: string;
  /** How this program is started again: `[deno, run, -A, main.ts]`. */
  readonly program: readonly string[];
  /** Milliseconds. */
  readonly now: () => number;
  readonly fetch: typeof fetch;
  /** Opens a gateway in this process, with its run file. */
  readonly startGateway: (options: StartGatewayOptions) => Promise<RunningGateway>;
  /** Loads every pack of `.onetool/tools` once, and says what is wrong with each. */
  readonly checkPacks: (options: CheckOptions) => Promise<CheckedPacks>;
  /** Calls the listener on SIGINT and SIGTERM; returns the function that ends this. */
  readonly onSignal: (listener: (signal: "SIGINT" | "SIGTERM") => void) => () => void;
  /** Calls the listener on SIGHUP; returns the function that ends this. */
  readonly onReload: (listener: () => void) => () => void;
}
