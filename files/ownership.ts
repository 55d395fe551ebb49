/** Checks that a path belongs to the user (or root), and that no other user can write to it. */

import { dirname, isAbsolute, parse, resolve } from "node:path";
import { attempt } from "#base";
import { MOST_LINKS, stepsTo } from "./way.ts";

/** Reason why a path is not trusted, with the way out. */
export interface Distrust {
  readonly why: string;
  readonly fix: string;
}

export interface OwnershipOptions {
  /** True to look at every folder above as well: who may write to one can put another in place of what
   * is in it. */
  readonly above?: boolean;
}

/** A path with every link followed, or the link that is not trusted. */
interface Trail {
  readonly real: string;
  readonly info: Deno.FileInfo;
  /** Every folder on the way, the target too where it is one. */
  readonly folders: ReadonlyMap<string, Deno.FileInfo>;
  readonly distrust: Distrust | undefined;
}

const STICKY = 0o1000;
/** Group of macOS whose members may do all that root may; programs of Homebrew are theirs to write. */
const ADMIN = 80;
/** User id that Linux shows, in a container or a sandbox, for a user without an id there, such as
 * root of the host. */
const NO_NUMBER = 65534;
/** The whole of `/proc/self/uid_map` where every user has a number. */
const EVERY_NUMBER = /^\s*0\s+0\s+4294967295\s*$/;

/** Reason why the path, or the target of its links, is not trusted; undefined where both are.
 * Throws errors of the file system.
 *
 * @example
 * ```ts
 * import { distrustOf } from "#files";
 *
 * console.assert(distrustOf(Deno.makeTempFileSync()) === undefined);
 * ```
 */
export function distrustOf(path: string, options: OwnershipOptions = {}): Distrust | undefined {
  return judge(path, options).distrust;
}

/** Judges the same; also returns the path behind all links, or the link that is not trusted. */
export function judge(
  path: string,
  { above = false }: OwnershipOptions,
): Omit<Trail, "folders"> {
  const { real, info, folders, distrust } = follow(path);
  const problem = distrust ?? distrustOfFolder(real) ?? distrustOfEntry(info, real);
  return { real, info, distrust: problem ?? (above ? distrustAbove(folders) : undefined) };
}

/** The same for one entry, not a link. */
export function distrustOfEntry(
  info: Pick<Deno.FileInfo, "uid" | "gid" | "mode" | "isDirectory">,
  path: string,
): Distrust | undefined {
  return distrustOfOwner(info.uid, "it", path) ?? distrustOfMode(info, "it", path);
}

/** True where every project is trusted unseen, as on a machine without other users: folders above are
 * not looked at. */
export function trustsAll(env: Readonly<Record<string, string | undefined>>): boolean {
  return env.TOOLSCRIPT_TRUST === "all";
}

/** Reason why another user may have made the entry, or the target of the link that it is. Throws
 * where it is missing. */
export function ownerDistrust(path: string): Distrust | undefined {
  return distrustOfOwner(Deno.lstatSync(path).uid, "it", path) ??
    distrustOfOwner(Deno.statSync(path).uid, "what it leads to", path);
}

/** True for a folder in which another user may put a file, now or once it is made. */
export function isOpenToOthers(folder: string): boolean {
  // Missing: made later, it would be searched.
  const trail = attempt(() => follow(folder));
  if (trail === undefined) {
    // Another user may be able to make what a link leads to, or the folder itself.
    const isLink = attempt(() => Deno.lstatSync(folder)) !== undefined;
    return isLink || (dirname(folder) !== folder && isOpenToOthers(dirname(folder)));
  }
  const { distrust, info, folders, real } = trail;
  return [
    distrust,
    // Everyone can put a file in a sticky folder.
    distrustOfMode({ ...info, isDirectory: false }, "it", real),
    distrustAbove(folders),
  ].some((each) => each !== undefined);
}

/** Follows the links of a path, one after another, and checks each with its folder. Throws where it is
 * missing. */
function follow(path: string): Trail {
  const whole = isAbsolute(path) ? path : resolve(path);
  let real = parse(whole).root;
  let info = Deno.lstatSync(real);
  const folders = new Map([[real, info]]);
  for (const step of stepsTo(whole)) {
    if (step.info === undefined || step.error !== undefined) throw step.error;
    info = step.info;
    if (info.isDirectory) folders.set(step.path, info);
    real = step.next ?? step.path;
    if (step.next === undefined) continue;
    const distrust = step.links > MOST_LINKS ? LOOP : distrustOfLink(info, step.path);
    if (distrust) return { real: step.path, info, folders, distrust };
  }
  return { real, info: folders.get(real) ?? info, folders, distrust: undefined };
}

const LOOP: Distrust = { why: "its links lead nowhere", fix: "Mend the link" };

function distrustOfLink({ uid }: Deno.FileInfo, link: string): Distrust | undefined {
  return distrustOfOwner(uid, `the link "${link}"`, link) ?? distrustOfFolder(link);
}

function distrustOfFolder(entry: string): Distrust | undefined {
  const folder = dirname(entry);
  const info = Deno.lstatSync(folder);
  const name = `its folder "${folder}"`;
  return distrustOfOwner(info.uid, name, folder) ?? distrustOfMode(info, name, folder);
}

/** Checks the folders above. A sticky folder may be open: only the owner of an entry can replace
 * it, and the owner of the next folder on the way is checked, too. */
function distrustAbove(folders: Trail["folders"]): Distrust | undefined {
  for (const [folder, info] of folders) {
    const name = `the folder "${folder}" above it`;
    const uid = info.uid === NO_NUMBER && isPartOfHost() ? 0 : info.uid;
    const distrust = distrustOfOwner(uid, name, folder) ?? distrustOfMode(info, name, folder);
    if (distrust) return { ...distrust, fix: `${distrust.fix}, or keep it elsewhere. ${ALONE}` };
  }
  return undefined;
}

const ALONE = "Where nobody else uses this machine (CI, a container), set TOOLSCRIPT_TRUST=all";

function isPartOfHost(): boolean {
  // Only Linux has the file.
  const map = attempt(() => Deno.readTextFileSync("/proc/self/uid_map"));
  return map !== undefined && !EVERY_NUMBER.test(map);
}

/** Without user ids, as on Windows, everything is the user's. */
function distrustOfOwner(uid: number | null, name: string, path: string): Distrust | undefined {
  const own = Deno.uid();
  if (uid === null || own === null || uid === 0 || uid === own) return undefined;
  return {
    why: `${name} belongs to another user (${uid})`,
    fix: `If you trust it, make it yours: chown -h ${own} ${quote(path)}`,
  };
}

function distrustOfMode(
  { gid, mode, isDirectory }: Pick<Deno.FileInfo, "gid" | "mode" | "isDirectory">,
  name: string,
  path: string,
): Distrust | undefined {
  if (mode === null || Deno.uid() === null || (isDirectory && (mode & STICKY) !== 0)) return;
  const isOpen = (mode & 0o002) !== 0;
  if (!isOpen && ((mode & 0o020) === 0 || isOwnGroup(gid))) return undefined;
  return {
    why: `${isOpen ? "everyone" : `the group ${gid}`} can write to ${name}`,
    fix: `Close it: chmod go-w ${quote(path)}`,
  };
}

function isOwnGroup(gid: number | null): boolean {
  return gid === Deno.gid() || (Deno.build.os === "darwin" && gid === ADMIN);
}

/** For a POSIX shell. */
function quote(path: string): string {
  return /^[\w./@+-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}
