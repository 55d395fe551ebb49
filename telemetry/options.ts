/** Places of a gateway's log, from its configuration, the environment and the command line. */

import type { FileLog, LogThreshold, StderrLog } from "./types.ts";

export interface LogSettings {
  readonly level: LogThreshold;
  readonly stderrLevel: LogThreshold;
  readonly file: string | null;
  readonly format: "auto" | "json" | "text";
  readonly maxBytes: number;
  readonly files: number;
}

export interface LogPlaceOptions {
  readonly settings: LogSettings;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** True where stderr belongs to the gateway, false where it belongs to a command such as `exec`. */
  readonly shared: boolean;
  readonly verbose: boolean;
  /** Folder below which the log is not written through a link: the project. */
  readonly root?: string;
  readonly stderr?: StderrSink;
}

export interface StderrSink {
  readonly isTerminal: boolean;
  write(data: Uint8Array): Promise<void>;
}

export interface LogPlaces {
  readonly stderr?: StderrLog;
  readonly file?: FileLog;
  /** Value of `TOOLSCRIPT_LOG` that is not a level. */
  readonly unknown?: string;
}

const LEVELS: readonly LogThreshold[] = ["debug", "info", "warning", "error", "off"];

/** Chooses the places. Without a configured place errors go to stderr as messages
 * for a person, and nothing is logged. */
export function logPlaces(options: LogPlaceOptions): LogPlaces {
  const { settings, env, verbose, root } = options;
  const name = env.TOOLSCRIPT_LOG?.trim().toLowerCase() || undefined;
  const level = LEVELS.find((threshold) => threshold === name);
  const override = level ?? (verbose ? "debug" : undefined);
  const path = settings.file ?? (env.TOOLSCRIPT_LOG_FILE || undefined);
  const stderr = stderrLog(options, override);
  return {
    stderr,
    file: path === undefined ? undefined : { ...fileLog(settings, { path, override }), root },
    unknown: level ? undefined : name,
  };
}

function fileLog(
  { level, format, maxBytes, files }: LogSettings,
  { path, override }: { readonly path: string; readonly override: LogThreshold | undefined },
): FileLog {
  return {
    path,
    level: override ?? level,
    format: format === "text" ? "text" : "json",
    maxBytes,
    files,
  };
}

function stderrLog(
  { settings, env, shared, stderr }: LogPlaceOptions,
  override: LogThreshold | undefined,
): StderrLog | undefined {
  const write = writer(stderr);
  // The file replaces stderr, which may be the same file.
  if (env.TOOLSCRIPT_LOG_FILE) return { level: "off", format: "text", write };
  const { stderrLevel, format } = settings;
  const isConfigured = override !== undefined ||
    (shared && (stderrLevel !== "warning" || format !== "auto"));
  if (!isConfigured || !stderr) return undefined;
  const color = stderr.isTerminal && !env.NO_COLOR;
  return {
    level: override ?? stderrLevel,
    format: format === "json" ? "json" : color ? "color" : "text",
    write,
  };
}

/** A closed stderr must not end the gateway. */
function writer(stderr: StderrSink | undefined): (line: string) => void {
  const encoder = new TextEncoder();
  return (line) => void stderr?.write(encoder.encode(line)).catch(() => {});
}
