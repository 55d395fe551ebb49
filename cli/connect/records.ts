/** Records of what `connect` wrote, so that `disconnect` can put it back: `~/.onetool/connect.json`. */

import { join } from "node:path";
import { attempt, isObject } from "#base";
import { readOwn, writeWhole } from "#files";

/** State of a file before the last write. `made`: it did not exist; `changed`: the backup is that
 * state; `edited`: a person changed it between two writes, so that the backup is older. */
const KINDS = ["made", "changed", "edited"] as const;

export interface ConnectRecord {
  readonly kind: typeof KINDS[number];
  /** SHA-256 of the bytes that were written last. */
  readonly hash: string;
  /** SHA-256 of the copy beside the file; missing without a copy. */
  readonly copy?: string;
  /** Folders that were made for the file, the innermost first. */
  readonly folders: readonly string[];
  /** Servers that were taken out of the file. */
  readonly moved: readonly string[];
}

export type Records = Map<string, ConnectRecord>;

/** Reads the records by path; what is not in their form counts as missing. */
export function readRecords(home: string): Records {
  const own = readOwn(fileOf(home));
  if (own.kind !== "text") return new Map();
  const all: unknown = parse(own.text);
  const entries = isObject(all) ? Object.entries(all) : [];
  return new Map(entries.flatMap(([path, value]) => {
    const record = toRecord(value);
    return record ? [[path, record] as const] : [];
  }));
}

export function writeRecords(home: string, records: Records): void {
  const text = `${JSON.stringify(Object.fromEntries(records), null, 2)}\n`;
  writeWhole(fileOf(home), text, { root: join(home, ".onetool"), mode: 0o600 });
}

function fileOf(home: string): string {
  return join(home, ".onetool", "connect.json");
}

function parse(text: string): unknown {
  // as if it were missing: files are then edited in place
  return attempt(() => JSON.parse(text));
}

function toRecord(value: unknown): ConnectRecord | undefined {
  if (!isObject(value) || typeof value.hash !== "string") return undefined;
  const kind = KINDS.find((kind) => kind === value.kind);
  return kind && {
    kind,
    hash: value.hash,
    folders: texts(value.folders),
    moved: texts(value.moved),
    ...(typeof value.copy === "string" ? { copy: value.copy } : {}),
  };
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}
