/** Permissions of a TypeScript pack: those of its header that the configuration grants. */

import { join, sep } from "node:path";
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

export interface Allowed {
  /** Flags for the command line of the process. */
  readonly flags: readonly string[];
  /** Requested and refused, as in the header: `net = ["example.com"]`. */
  readonly missing: readonly string[];
}

/** Entries of `.onetool/` for the gateway alone: keys of all servers, tokens, results. */
const PRIVATE = [
  ...["onetool.yaml", "secrets.yaml", "config", "run", "cache", "stats", "tmp", "trash"],
  ...["credentials", "pins.json", "trust.json"],
];
/** Characters of a host, a variable or a program's name: a comma would begin the next item. */
const PLAIN = /^[\w.:*[\]@/~-]+$/;

/** Returns the part of `requested` that `granted` covers. Nothing is granted by default. */
export function allow(
  requested: Readonly<Partial<Record<Permission, Extent>>>,
  granted: Grants,
  places: Places,
): Allowed {
  const flags = [readFlag([places.folder, places.own]), ...denials(places)];
  const missing: string[] = [];
  for (const permission of PERMISSIONS) {
    const request = requested[permission];
    if (request === undefined) continue;
    const grant = granted === true ? true : granted[permission] ?? [];
    const shared = intersect(permission, { request, grant, places });
    if (shared.refused.length > 0) missing.push(spell(permission, request, shared.refused));
    if (shared.extent === true) flags.push(`--allow-${permission}`);
    else if (shared.extent.length > 0) {
      flags.push(`--allow-${permission}=${shared.extent.map(escape).join(",")}`);
    }
  }
  return { flags: joinReads(flags), missing };
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

function within(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

function spell(permission: Permission, request: Extent, refused: readonly string[]): string {
  return `${permission} = ${request === true ? "true" : JSON.stringify(refused)}`;
}

function denials({ project, home }: Places): string[] {
  const roots = [...new Set([project, home])].map((root) => join(root, ".onetool"));
  const closed = roots.flatMap((root) => PRIVATE.map((name) => join(root, name)));
  // A pack could rename the folder, and so read all of it or replace a pack.
  return [
    `--deny-read=${closed.map(escape).join(",")}`,
    `--deny-write=${roots.map(escape).join(",")}`,
  ];
}

function readFlag(paths: readonly string[]): string {
  return `--allow-read=${paths.map(escape).join(",")}`;
}

/** Joins the read flags: the widest, or all lists together. */
function joinReads(flags: readonly string[]): string[] {
  if (flags.includes("--allow-read")) {
    return flags.filter((flag) => !flag.startsWith("--allow-read="));
  }
  const lists = flags.filter((flag) => flag.startsWith("--allow-read="));
  const rest = flags.filter((flag) => !flag.startsWith("--allow-read="));
  return [`--allow-read=${lists.map((flag) => flag.slice(13)).join(",")}`, ...rest];
}

function escape(item: string): string {
  return item.replaceAll(",", ",,");
}
