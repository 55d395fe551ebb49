/** Checks that a path belongs to the user (or root), and that no other user can write to it. */

import { dirname, join, parse, resolve, sep } from "node:path";

/** Reason why a path is not trusted, with the way out. */
export interface Distrust {
  readonly why: string;
  readonly fix: string;
}

export interface Trail {
  /** The path with every link followed, or the link that is not trusted. */
  readonly real: string;
  readonly distrust: Distrust | undefined;
}

const MAX_LINKS = 40;
const STICKY = 0o1000;

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
export function distrustOf(path: string): Distrust | undefined {
  const { real, distrust } = follow(path);
  return distrust ?? distrustOfEntry(Deno.lstatSync(real), real);
}

/** The same for one entry, not a link. */
export function distrustOfEntry(
  info: Pick<Deno.FileInfo, "uid" | "gid" | "mode" | "isDirectory">,
  path: string,
): Distrust | undefined {
  return distrustOfOwner(info.uid, "it", path) ?? distrustOfMode(info, "it", path);
}

/** Reason why another user may have made the entry, or the target of the link that it is. Throws
 * where it is missing. */
export function ownerDistrust(path: string): Distrust | undefined {
  return distrustOfOwner(Deno.lstatSync(path).uid, "it", path) ??
    distrustOfOwner(Deno.statSync(path).uid, "what it leads to", path);
}

/** Follows the links of a path, one after another, and checks each with its folder, and the folder
 * of the target. Throws where it is missing. */
export function follow(path: string): Trail {
  const whole = resolve(path);
  let real = parse(whole).root;
  let links = 0;
  const rest = whole.slice(real.length).split(sep);
  while (rest.length > 0) {
    const name = rest.shift() ?? "";
    if (name === "" || name === ".") continue;
    const next = name === ".." ? dirname(real) : join(real, name);
    const info = Deno.lstatSync(next);
    if (!info.isSymlink) {
      real = next;
      continue;
    }
    const distrust = ++links > MAX_LINKS ? LOOP : distrustOfLink(info, next);
    if (distrust) return { real: next, distrust };
    const target = Deno.readLinkSync(next);
    const { root } = parse(target);
    if (root !== "") real = root;
    rest.unshift(...target.slice(root.length).split(sep));
  }
  return { real, distrust: distrustOfFolder(real) };
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
  if (!isOpen && ((mode & 0o020) === 0 || gid === Deno.gid())) return undefined;
  return {
    why: `${isOpen ? "everyone" : `the group ${gid}`} can write to ${name}`,
    fix: `Close it: chmod go-w ${quote(path)}`,
  };
}

/** For a POSIX shell. */
function quote(path: string): string {
  return /^[\w./@+-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}
