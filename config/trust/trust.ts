/** Decides whether a project may start what its configuration names (docs/security.md, *Trust in a
 * project*). */

import { basename, dirname, join } from "node:path";
import type { JsonObject } from "#base";
import { isInside, realPathOf, trustsAll } from "#files";
import { packNames } from "#packs/configured";
import { expandPath } from "#packs/rules";
import { hashFiles, readToolFiles, toolsFolder } from "./files.ts";
import type { ServerStub, StartedPack, TrustItems } from "./items.ts";
import { listStarts, packPlaces, type Place, placeText, serverStubs } from "./items.ts";
import { readTrust, type TrustEntry } from "./store.ts";
import type { MapNode } from "../tree/node.ts";

export interface Trust {
  /** `none`: the project needs no trust. */
  readonly kind: "none" | "trusted" | "untrusted";
  /** Real path of the project. */
  readonly project: string;
  /** Over the files as they were read; undefined where they cannot all be read. */
  readonly hash: string | undefined;
  /** Reason why `.onetool/tools/` cannot be read whole, with the way out. */
  readonly unread?: string;
  /** Over `.onetool/tools/`: a pack runs only while this is its hash. */
  readonly tools: string | undefined;
  /** Digests of the project's own secrets, by their lines for a person. */
  readonly secrets: Readonly<Record<string, string>>;
  /** True where every change is trusted without a question. */
  readonly all: boolean;
  readonly items: TrustItems;
  /** Present where the project was trusted once. */
  readonly before?: Omit<TrustEntry, "hash">;
  /** Servers of a project that is not trusted, but for those that the home folder has as well. */
  readonly servers: readonly ServerStub[];
  /** Settings that the project itself writes for its own packs, by their names. */
  readonly settings: Readonly<Record<string, JsonObject>>;
}

export interface TrustOptions {
  /** Real path. */
  readonly project: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The project's files by path, in the order in which they were read. */
  readonly texts: ReadonlyMap<string, string>;
  /** The project's configuration as it is written. */
  readonly root: MapNode;
  readonly secrets: Trust["secrets"];
  /** Settings of it that do more than narrow. */
  readonly changes: readonly string[];
  /** Settings of the home folder that do not hold with those of it. */
  readonly lost: readonly string[];
  /** Settings of it that narrow. */
  readonly narrows: readonly string[];
  /** False where a part of it was left out, which no list shows. */
  readonly isWhole: boolean;
}

/** Tells that a person vouches for the project: all of it counts, with its mistakes. */
export function isVouched({ kind, all }: Pick<Trust, "kind" | "all">): boolean {
  return all || kind === "trusted";
}

/** Trust where the project has no files that are not the home folder's. */
export function noTrust(project: string): Trust {
  const items = { starts: [], reads: [], changes: [], narrows: [] };
  return {
    kind: "none",
    project,
    hash: undefined,
    tools: undefined,
    all: true,
    items,
    secrets: {},
    servers: [],
    settings: {},
  };
}

/** Compares the project's files with what was trusted. */
export function judgeTrust(options: TrustOptions): Trust {
  const { project, home, env, texts, root, secrets, lost, narrows, isWhole } = options;
  const changes = [...options.changes, ...lost];
  const tools = readToolFiles(project);
  const hash = tools.hash === undefined
    ? undefined
    : hashFiles(project, { texts, tools: tools.hash });
  const { starts, reads } = listStarts(root, namedPacks(project, tools.packs));
  const links = tools.packs.length > 0 ? tools.links : [];
  const elsewhere = placesElsewhere(options, links);
  const items = { starts, reads: [...reads, ...elsewhere], changes, narrows };
  const all = trustsAll(env);
  const before = readTrust(home, project);
  const needsNone = [starts, reads, changes].every((lines) => lines.length === 0);
  const isTrusted = all || (hash !== undefined && hash === before?.hash &&
    // The home folder may have set a limit since.
    lost.every((line) => before.changes.includes(line)));
  const kind = needsNone ? "none" : isTrusted ? "trusted" : "untrusted";
  return {
    kind,
    project,
    tools: tools.hash,
    secrets,
    all,
    items,
    hash: isTrusted || isWhole ? hash : undefined,
    ...(tools.unread === undefined ? {} : { unread: tools.unread }),
    ...(before ? { before: withoutHash(before) } : {}),
    servers: kind === "untrusted" ? serverStubs(root) : [],
    settings: {},
  };
}

/** Packs with their own names, where these are others than those of their folders. */
function namedPacks(project: string, files: readonly string[]): StartedPack[] {
  const names = packNames(toolsFolder(project));
  return files.map((file) => {
    const name = names.get(join(project, file));
    return name === undefined || name === basename(dirname(file)) ? { file } : { file, name };
  });
}

/** Files that the project reads outside of its folder, by its includes and its links, those beside its
 * packs too, and what its packs would use there: the secrets of another project may be among them. */
function placesElsewhere(
  { project, home, texts, root }: TrustOptions,
  links: readonly Place[],
): string[] {
  const files = [...texts.keys()].map((path): Place => ({ kind: "file", path }));
  const named = packPlaces(root);
  // A reference may lead anywhere.
  const open = named.filter(({ path }) => path.includes("${"));
  const others = [...files, ...links, ...named.filter((place) => !open.includes(place))];
  const real = others.map(({ kind, path }) => ({
    kind,
    path: realPathOf(expandPath(path, { home, base: project })),
  }));
  const outside = real.filter(({ path }) => path !== project && !isInside(project, path));
  return [...new Set([...open, ...outside].map(placeText))];
}

/** Tells that the packs in the project's folder are still those that were trusted. */
export function holdsForTools({ kind, all, tools, project }: Trust): boolean {
  if (all) return true;
  return kind === "trusted" && tools !== undefined && readToolFiles(project).hash === tools;
}

function withoutHash({ hash: _, ...entry }: TrustEntry): Omit<TrustEntry, "hash"> {
  return entry;
}
