/** From what a built-in tool threw to the one error that a caller knows. */

import { PackError } from "../errors.ts";

/** What Deno and `node:fs` say, in a phrase without a path. */
const PHRASES: Readonly<Record<string, string>> = {
  NotFound: "no such file or folder",
  PermissionDenied: "the system does not permit it",
  NotCapable: "the system does not permit it",
  AlreadyExists: "it exists already",
  NotADirectory: "a part of the path is no folder",
  IsADirectory: "it is a folder",
  FilesystemLoop: "its links lead round in a circle",
  Busy: "it is in use",
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
  return Object.hasOwn(PHRASES, error.name) ? PHRASES[error.name] : undefined;
}

function named(error: PackError, tool: string): PackError {
  const { code, message, retryable, details } = error;
  return new PackError(code, message, { tool, retryable, details, cause: error });
}
