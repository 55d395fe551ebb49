/** Files of the project that a program may have written: their place, and why one was refused. */

import { relative, resolve } from "node:path";

/** Refusal of a file; the message is the reason. */
export class RefusedFile extends Error {
  override readonly name = "RefusedFile";
}

/** True for a path below a folder, by name alone. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== "" && way !== ".." && !/^\.\.[/\\]/.test(way) && resolve(folder, way) === path;
}

/** Reason why a file was not written, for an agent: without paths of the machine. */
export function refusalOf(error: unknown): string {
  if (error instanceof RefusedFile) return error.message;
  if (error instanceof Deno.errors.NotFound) return "there is no such folder";
  if (error instanceof Deno.errors.PermissionDenied) return "permission denied";
  if (error instanceof Deno.errors.IsADirectory) return "it is a folder";
  if (error instanceof Deno.errors.NotADirectory) return "a part of it is no folder";
  if (error instanceof Deno.errors.FilesystemLoop) return "its links go round in a circle";
  return "the file system refused it";
}
