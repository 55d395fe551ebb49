/** The command line with its output caught, for tests that need no process of its own. */

import { type CliIo, createScreen, runCli } from "#cli";
import { startGateway } from "../../main.ts";

export interface CaughtOptions {
  readonly cwd: string;
  readonly home: string;
  readonly env?: Record<string, string>;
  readonly stdin?: string;
  /** Whether stdout and stderr are a terminal. */
  readonly terminal?: boolean;
  /** How the program is started again. */
  readonly program?: readonly string[];
  /** Lines that the person at the terminal types; missing without a terminal. */
  readonly lines?: readonly string[];
  /** Whether the command may start a gateway, in this process; false where missing. */
  readonly gateway?: boolean;
  /** Size of the terminal: 80 columns and 24 rows where missing. */
  readonly size?: ReturnType<NonNullable<CliIo["person"]>["size"]>;
  /** The person, in place of one who types `lines`. */
  readonly person?: CliIo["person"];
}

export interface Caught {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs one command in this process. */
export async function caught(argv: readonly string[], options: CaughtOptions): Promise<Caught> {
  const { cwd, home, env = {}, stdin = "", terminal = false, lines, program = [] } = options;
  const size = options.size ?? { columns: 80, rows: 24 };
  const typed = [...lines ?? []];
  const out = { stdout: "", stderr: "" };
  const sink = (name: "stdout" | "stderr") => ({
    isTerminal: terminal,
    columns: size.columns,
    write: (data: Uint8Array) => {
      out[name] += new TextDecoder().decode(data);
      return Promise.resolve();
    },
  });
  const screen = createScreen({ stdout: sink("stdout"), stderr: sink("stderr") });
  const io: CliIo = {
    stdout: screen.stdout,
    stderr: screen.stderr,
    screen,
    stdin: { isTerminal: false, readable: new Blob([stdin]).stream() },
    person: options.person,
    ...(lines
      ? {
        person: {
          forget: () => {},
          settle: () => Promise.resolve(),
          readLine: () => Promise.resolve(typed.shift() ?? null),
          size: () => size,
        },
      }
      : {}),
    env: { TOOLSCRIPT_TRUST: "all", ...env },
    cwd,
    home,
    version: "0.1.0",
    program,
    now: Date.now,
    fetch,
    onReload: () => () => {},
    onUncaught: () => () => {},
    startGateway: (settings) => {
      if (!options.gateway) return Promise.reject(new Error("No gateway starts in this test"));
      return startGateway({ home, ...settings, stderr: io.stderr });
    },
    serveClient: () => Promise.reject(new Error("No client is served in this test")),
    checkPacks: () => Promise.resolve({ packs: [], findings: [] }),
    onSignal: () => () => {},
  };
  const code = await runCli(argv, io);
  return { code, ...out };
}
