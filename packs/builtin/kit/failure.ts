/** From what a built-in tool threw to the one error that a caller knows. */

import { PackError } from "../../errors.ts";

const MISSING = "no such file or folder";
const REFUSED = "the system does not permit it";
const LOOP = "its links lead round in a circle";

/** What Deno (by name) and `node:fs` (by code) say, in a phrase without a path. */
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
  NotADirectory: "a part of the path is no folder",
  ENOTDIR: "a part of the path is no folder",
  IsADirectory: "it is a folder",
  EISDIR: "it is a folder",
  ENOTEMPTY: "the folder is not empty",
  FilesystemLoop: LOOP,
  ELOOP: LOOP,
  ENAMETOOLONG: "the name is too long",
  InvalidFilename: "the name is too long",
  ENOSPC: "no space is left",
  StorageFull: "no space is left",
  EXDEV: "it lies on another file system",
  ENXIO: "it is no regular file",
  Busy: "it is in use",
  EBUSY: "it is in use",
};

export interface FailedCall {
  /** `file.read` */
  readonly tool: string;
  readonly signal: AbortSignal;
}

/** The error to throw; one that is no caller's business comes back as it is. */
export function callError(error: unknown, { tool, signal }: FailedCall): unknown {
  if (error instanceof PackError) return error.tool === undefined ? named(error, tool) : error;
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

/** What an error of the file system means, or undefined where it is none. */
export function systemPhrase(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = "code" in error && typeof error.code === "string" ? error.code : error.name;
  return [code, error.name].map((key) => Object.hasOwn(PHRASES, key) ? PHRASES[key] : undefined)
    .find((phrase) => phrase !== undefined);
}

function named(error: PackError, tool: string): PackError {
  const { code, message, retryable, details } = error;
  return new PackError(code, message, { tool, retryable, details, cause: error });
}
