/** The copy of a client's file as it was before `connect`: `FILE.before-toolscript`. */

import { exists } from "../paths.ts";
import { type ClientFile, FileProblem, hashOf, readClientFile, removeFile } from "./client_file.ts";
import { checkExclude, excludeCopy } from "./git_exclude.ts";
import type { ConnectRecord } from "./records.ts";

export function backupOf(path: string): string {
  return `${path}.before-toolscript`;
}

/** True where the file has, or needs, a copy; false where `connect` made it. */
export function needsCopy({ bytes }: ClientFile, record: ConnectRecord | undefined): boolean {
  return bytes !== undefined && record?.kind !== "made";
}

/** Throws `FileProblem` where git would add the copy, or where it is not the one that `connect`
 * recorded: a repository may ship it. One that equals the file is as good. */
export function checkCopy({ path, bytes }: ClientFile, record: ConnectRecord | undefined): void {
  const backup = backupOf(path);
  checkExclude({ path, backup });
  if (!exists(backup) || readCopy(path, record).bytes !== undefined) return;
  const copy = readClientFile(backup);
  if (copy.bytes && bytes && hashOf(copy.bytes) === hashOf(bytes)) return;
  throw new FileProblem(`"${backup}" is no copy that connect made: remove it, or move it away`);
}

/** Reads the copy that `connect` recorded; any other counts as missing. */
export function readCopy(path: string, record: ConnectRecord | undefined): ClientFile {
  const backup = backupOf(path);
  const missing = { path: backup, text: "" };
  if (record?.copy === undefined) return missing;
  const copy = readClientFile(backup);
  return copy.bytes && hashOf(copy.bytes) === record.copy ? copy : missing;
}

/** Copies the file beside itself, once, for the user alone; returns the hash of the copy. */
export function backUp(
  { path, bytes: own }: Required<ClientFile>,
  record: ConnectRecord | undefined,
): string {
  const { bytes = own, path: backup } = readCopy(path, record);
  excludeCopy({ path, backup });
  if (!exists(backup)) {
    const mode = (Deno.statSync(path).mode ?? 0o600) & 0o600;
    Deno.writeFileSync(backup, bytes, { createNew: true, mode });
  }
  return hashOf(bytes);
}

/** Removes the copy that `connect` recorded. */
export function removeCopy(path: string, record: ConnectRecord | undefined): void {
  const { bytes, path: backup } = readCopy(path, record);
  if (bytes !== undefined) removeFile(backup);
}
