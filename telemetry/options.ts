/** Where a gateway's log goes: by its configuration, the environment and the command line. */

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
  /** Whether stderr is the gateway's own, and not of a program that it runs for. */
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
  /** A level that is none. */
  readonly unknown?: string;
}

const LEVELS: readonly LogThreshold[] = ["debug", "info", "warning", "error", "off"];

/** Without a word about it a person is told on stderr what went wrong, and nothing is written down:
 * then there is neither place. */
export function logPlaces(options: LogPlaceOptions): LogPlaces {
  const { settings, env, verbose, root } = options;
  const given = env.TOOLSCRIPT_LOG?.trim().toLowerCase() || undefined;
  const known = LEVELS.find((level) => level === given);
  const asked = known ?? (verbose ? "debug" : undefined);
  const path = settings.file ?? (env.TOOLSCRIPT_LOG_FILE || undefined);
  const stderr = stderrLog(options, asked);
  return {
    ...(stderr ? { stderr } : {}),
    ...(path === undefined ? {} : { file: { ...fileLog(settings, { path, asked }), root } }),
    ...(given !== undefined && !known ? { unknown: given } : {}),
  };
}

function fileLog(
  { level, format, maxBytes, files }: LogSettings,
  { path, asked }: { readonly path: string; readonly asked: LogThreshold | undefined },
): FileLog {
  return {
    path,
    level: asked ?? level,
    format: format === "text" ? "text" : "json",
    maxBytes,
    files,
  };
}

function stderrLog(
  { settings, env, shared, stderr }: LogPlaceOptions,
  asked: LogThreshold | undefined,
): StderrLog | undefined {
  const write = writer(stderr);
  // The file stands for stderr, which may be the same file.
  if (env.TOOLSCRIPT_LOG_FILE) return { level: "off", format: "text", write };
  const { stderrLevel, format } = settings;
  const isSaid = asked !== undefined ||
    (shared && (stderrLevel !== "warning" || format !== "auto"));
  if (!isSaid || !stderr) return undefined;
  const colour = stderr.isTerminal && !env.NO_COLOR;
  return {
    level: asked ?? stderrLevel,
    format: format === "json" ? "json" : colour ? "colour" : "text",
    write,
  };
}

/** A stderr that nobody reads any more must not end the gateway. */
function writer(stderr: StderrSink | undefined): (line: string) => void {
  const encoder = new TextEncoder();
  return (line) => void stderr?.write(encoder.encode(line)).catch(() => {});
}
