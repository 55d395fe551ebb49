/** Errors of built-in tools as `PackError`. */

import { PackError } from "../../errors.ts";

const MISSING = "no such file or folder";
const REFUSED = "the system does not permit it";
const LOOP = "its links form a loop";

/** Phrases for errors of Deno (by name) and of `node:fs` (by code). They name no path. */
const PHRASES: Readonly<Record<string, string>> = {
  NotFound: MISSING,
  ENOENT: MISSING,
  PermissionDenied: REFUSED,
  NotCapable: REFUSED,
  EACCES: REFUSED,
  EPERM: REFUSED,
  EROFS: "the file system is read-only",
  AlreadyExists: "it exists already",
  EEXIST: "it exists already",
  NotADirectory: "a part of the path is not a folder",
  ENOTDIR: "a part of the path is not a folder",
  IsADirectory: "it is a folder",
  EISDIR: "it is a folder",
  ENOTEMPTY: "the folder is not empty",
  FilesystemLoop: LOOP,
  ELOOP: LOOP,
  ENAMETOOLONG: "the name is too long",
  InvalidFilename: "the name is too long",
  ENOSPC: "no space is left",
  StorageFull: "no space is left",
  EXDEV: "it is on another file system",
  ENXIO: "it is not a regular file",
  Busy: "it is in use",
  EBUSY: "it is in use",
};

export interface FailedCall {
  /** `file.read` */
  readonly tool: string;
  readonly signal: AbortSignal;
}

/** Maps file system errors and ended signals to `PackError`. Returns other errors unchanged. */
export function callError(error: unknown, { tool, signal }: FailedCall): unknown {
  if (error instanceof PackError) return error.tool === undefined ? withTool(error, tool) : error;
  if (signal.aborted) {
    const late = signal.reason instanceof DOMException && signal.reason.name === "TimeoutError";
    const how = late ? "no time is left" : "the run has ended";
    return new PackError(late ? "timeout" : "cancelled", `Cannot finish "${tool}": ${how}`, {
      tool,
      cause: error,
    });
  }
  const phrase = systemPhrase(error);
  if (phrase === undefined) return error;
  return new PackError("tool_error", `Cannot run "${tool}": ${phrase}`, { tool, cause: error });
}

/** Phrase for an error of the file system; undefined for other errors. */
export function systemPhrase(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = "code" in error && typeof error.code === "string" ? error.code : error.name;
  return [code, error.name].map((key) => Object.hasOwn(PHRASES, key) ? PHRASES[key] : undefined)
    .find((phrase) => phrase !== undefined);
}

function withTool(error: PackError, tool: string): PackError {
  const { code, message, retryable, details, external } = error;
  return new PackError(code, message, { tool, retryable, details, external, cause: error });
}
