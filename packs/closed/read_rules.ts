/** Rules of the paths that programs may not read, as plain data that threads can take. */

import { isBelow, isSecrets, keyOf, STATE_FOLDER, UNREAD_STATE } from "./names.ts";

/** Rules for reading by the path. All paths are keys. */
export interface ReadNames {
  /** All names of the `.onetool` in the home folder. */
  readonly homeState: readonly string[];
  /** All names of the project's `.onetool`. */
  readonly state: readonly string[];
  readonly secrets: readonly string[];
}

/** Rules for reading. */
export interface ReadRules extends ReadNames {
  /** Closed files with more than one hard link, as `device:inode`. A reason where they cannot be
   * determined: then each file with a second name may be one. */
  readonly inodes: readonly string[] | string;
}

export const SECRETS = "it holds secrets";
const TOKENS = "it holds the gateways' tokens";
const STATE = "it holds what Toolscript keeps of runs, credentials and servers";

/** Default limit of the entries with which a file that has a second hard link is compared. */
export const MOST_COMPARED = 50_000;
/** The same limit in messages. */
export const MANY = MOST_COMPARED.toLocaleString("en");

export interface ReadOptions {
  /** True if the configuration itself names the path. */
  readonly isNamed?: boolean;
}

/** Reason why a real path may not be read, or undefined. */
export function readReason(
  path: string,
  rules: ReadNames,
  { isNamed = false }: ReadOptions = {},
): string | undefined {
  const key = keyOf(path);
  if (rules.secrets.includes(key) || isSecrets(nameOf(key))) return SECRETS;
  const inHome = rules.homeState.some((folder) => isBelow(key, folder));
  for (const tail of stateTails(key, rules)) {
    const [name] = tail;
    if (name === "run") return TOKENS;
    if (name !== undefined && UNREAD_STATE.has(name)) return STATE;
  }
  return inHome && !isNamed ? STATE : undefined;
}

/** Reason why a file may not be read because another of its names is closed, or undefined. */
export function linkReason(
  info: Deno.FileInfo,
  { inodes }: Pick<ReadRules, "inodes">,
): string | undefined {
  if (inodes.length === 0 || !info.isFile || (info.nlink ?? 1) < 2) return undefined;
  if (typeof inodes === "string") {
    return `it may hold secrets, under another name: ${inodes}`;
  }
  return inodes.includes(inodeOf(info)) ? `${SECRETS}, under another name` : undefined;
}

export function inodeOf({ dev, ino }: Deno.FileInfo): string {
  return `${dev}:${ino}`;
}

/** Names after each `.onetool` in a path. */
export function stateTails(
  key: string,
  { homeState, state }: Pick<ReadNames, "homeState" | "state">,
): string[][] {
  const tails = [...homeState, ...state].filter((folder) => isBelow(key, folder))
    .map((folder) => key.slice(folder.length + 1).split("/").filter(Boolean));
  if (!key.includes(STATE_FOLDER)) return tails;
  const parts = key.split("/");
  const inside = parts.flatMap((part, at) => part === STATE_FOLDER ? [parts.slice(at + 1)] : []);
  return [...tails, ...inside];
}

export function nameOf(key: string): string {
  return key.slice(key.lastIndexOf("/") + 1);
}
