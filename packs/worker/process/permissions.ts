/** Permissions of a TypeScript pack: those of its header that the configuration grants. */

import { parse, sep } from "node:path";
import { expandPath } from "../../rules/expand_path.ts";
import { type Extent, type Grants, type Permission, PERMISSIONS } from "../types.ts";

export interface Places {
  readonly project: string;
  readonly home: string;
  /** Folder of the pack, always readable. */
  readonly folder: string;
  /** Folder of our files that the worker loads. */
  readonly own: string;
}

/** Paths that a pack may use, and the folders whose grant they come from: the user named these. */
export interface Reach {
  readonly extent: Extent;
  readonly bases: readonly string[];
}

/** One value for reading, one for writing. */
export interface ForPaths<T> {
  readonly read: T;
  readonly write: T;
}

export interface Allowed {
  /** Flags for the command line, but those for reading and writing. */
  readonly flags: readonly string[];
  readonly paths: ForPaths<Reach>;
  /** Requested and refused, as in the header: `net = ["example.com"]`. */
  readonly missing: readonly string[];
}

/** Characters of a host, a variable or a program's name: a comma would begin the next item. */
const PLAIN = /^[\w.:*[\]@/~-]+$/;

/** Returns the part of `requested` that `granted` covers. Nothing is granted by default. */
export function allow(
  requested: Readonly<Partial<Record<Permission, Extent>>>,
  granted: Grants,
  places: Places,
): Allowed {
  const flags: string[] = [];
  const missing: string[] = [];
  const { home, project: base } = places;
  const nothing: Reach = { extent: [], bases: [base] };
  const paths = { read: nothing, write: nothing };
  for (const permission of PERMISSIONS) {
    const request = requested[permission];
    if (request === undefined) continue;
    const grant = granted === true ? true : granted[permission] ?? [];
    const { extent, refused } = intersect(permission, { request, grant, places });
    if (refused.length > 0) missing.push(spell(permission, request, refused));
    if (permission === "read" || permission === "write") {
      const items = grant === true ? [] : grant.map((item) => expandPath(item, { home, base }));
      paths[permission] = { extent, bases: [base, ...items] };
    } else flags.push(...flagOf(`allow-${permission}`, extent));
  }
  return { flags, paths, missing };
}

/** Flags for reading and writing, without what is closed. */
export function pathFlags(
  { read, write }: ForPaths<Reach>,
  closed: ForPaths<readonly string[]>,
  { folder, own, project }: Places,
): string[] {
  // Deno makes links where both permissions have no list. Windows has several roots.
  const isListed = write.extent === true && Deno.build.os !== "windows";
  return [
    ...flagOf("allow-read", read.extent === true || [folder, own, ...read.extent]),
    ...flagOf("allow-write", isListed ? [parse(project).root] : write.extent),
    ...flagOf("deny-read", closed.read),
    ...flagOf("deny-write", closed.write),
  ];
}

interface Shared {
  readonly extent: Extent;
  readonly refused: readonly string[];
}

interface Extents {
  readonly request: Extent;
  readonly grant: Extent;
  readonly places: Places;
}

function intersect(permission: Permission, { request, grant, places }: Extents): Shared {
  const isPath = permission === "read" || permission === "write" || permission === "ffi";
  const { home, project: base } = places;
  const read = (item: string) => isPath ? expandPath(item, { home, base }) : item;
  const usable = (item: string) => isPath || PLAIN.test(item);
  if (request === true) {
    if (grant === true) return { extent: true, refused: [] };
    return { extent: grant.filter(usable).map(read), refused: grant.length > 0 ? [] : ["*"] };
  }
  const grants = grant === true ? true : grant.map(read);
  const extent: string[] = [];
  const refused: string[] = [];
  for (const item of request) {
    const one = read(item);
    const narrower = grants === true ? [] : grants.filter((grant) => isPath && within(grant, one));
    if (
      usable(item) && (grants === true || grants.some((grant) => covers(permission, grant, one)))
    ) {
      extent.push(one);
    } else if (narrower.length > 0) extent.push(...narrower);
    else refused.push(item);
  }
  return { extent, refused };
}

function covers(permission: Permission, grant: string, item: string): boolean {
  if (grant === item) return true;
  if (permission === "read" || permission === "write" || permission === "ffi") {
    return within(item, grant);
  }
  if (permission !== "net") return false;
  const [grantHost, grantPort] = hostOf(grant);
  const [host, port] = hostOf(item);
  if (grantPort !== undefined && grantPort !== port) return false;
  if (grantHost.startsWith("*.")) return host.endsWith(grantHost.slice(1));
  return grantHost === host;
}

function hostOf(text: string): readonly [string, string | undefined] {
  const [, host = text, port] = /^(.*?)(?::(\d+))?$/.exec(text) ?? [];
  return [host.toLowerCase(), port];
}

/** True if a path is a folder or is below it. */
export function within(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

function spell(permission: Permission, request: Extent, refused: readonly string[]): string {
  return `${permission} = ${request === true ? "true" : JSON.stringify(refused)}`;
}

function flagOf(name: string, extent: Extent): string[] {
  if (extent === true) return [`--${name}`];
  return extent.length > 0 ? [`--${name}=${extent.map(escape).join(",")}`] : [];
}

function escape(item: string): string {
  return item.replaceAll(",", ",,");
}
