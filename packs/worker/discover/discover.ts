/** Discovery of the packs of a project and of the home folder (WRK-10, WRK-11). */

import { RESERVED } from "../../server_config.ts";
import { join } from "node:path";
import { type Distrust, distrustOf, isSameFolder, type OwnershipOptions, readOwn } from "#files";
import { attempt } from "#base";
import { camelCase } from "../../registry/names.ts";
import type { Language, PackFile, PackFinding } from "../types.ts";

/** Where packs lie. */
export interface PackPlaces {
  readonly project: string;
  readonly home: string;
  /** False to leave the folders above unlooked at; true by default. */
  readonly checksAbove?: boolean;
}

export interface DiscoverOptions extends PackPlaces {
  /** Names that are taken: those of packs that come with Toolscript, and of servers. */
  readonly reserved: ReadonlyMap<string, string>;
  /** Names that packs of an untrusted project do not take in any spelling, beside those that are
   * reserved and those of the home folder's packs. */
  readonly yieldsTo?: readonly string[];
}

export interface Discovered {
  /** In order of precedence: the project's, then the home folder's. */
  readonly packs: readonly PackFile[];
  readonly findings: readonly PackFinding[];
}

const NAME = /^[A-Za-z][A-Za-z0-9_-]*$/;
/** Literal name of the pack, readable without running the file. */
const PACK_NAME: Readonly<Record<Language, RegExp>> = {
  typescript: /^export const pack(?:\s*:\s*string)?\s*=\s*(["'`])([^"'`\\\n]*)\1/m,
  python: /^pack(?:\s*:\s*str)?\s*=\s*(["'])([^"'\\\n]*)\1/m,
};
const ENDINGS = [["ts", "typescript"], ["py", "python"]] as const;

const MB = 1024 * 1024;
/** Size limit of a pack's file. */
export const MOST_BYTES = 4 * MB;
/** The same of all packs in a folder, where links to one file count once, and of their number. */
const MOST_MB = 16;
const MOST_FOLDERS = 1_000;

/** Names that no file can take, each with what has it. */
export function reservedNames(servers: readonly string[]): ReadonlyMap<string, string> {
  return new Map([
    ...Object.keys(RESERVED).map((name) => [name, "a pack that Toolscript needs"] as const),
    ...servers.map((name) => [name, "a server"] as const),
  ]);
}

/** Finds `.onetool/tools/<pack>/<pack>_tools.ts` and `.py` in both folders. Of two packs with one name
 * the first counts; the other is a finding, as is a file that another user can write, and a folder of
 * which not all is read. */
export function discoverPacks(
  { project, home, checksAbove = true, reserved, yieldsTo }: DiscoverOptions,
): Discovered {
  const findings: PackFinding[] = [];
  const packs = new Map<string, PackFile>();
  const others = yieldsTo &&
    new Set([...yieldsTo, ...reserved.keys()].map((name) => camelCase(name)));
  const roots: [string, PackFile["scope"]][] = [[project, "project"], [home, "home"]];
  if (yieldsTo) roots.reverse();
  for (const [root, scope] of isSameFolder(project, home) ? roots.slice(0, 1) : roots) {
    const names = new Map<string, OwnName>();
    const search = { scope, findings, above: checksAbove, names, left: MOST_MB * MB };
    for (const file of packFiles(join(root, ".onetool", "tools"), search)) {
      const clash = problemOf(file, { packs, reserved });
      if (clash) findings.push(clash);
      if (clash || scope === "project" && others?.has(camelCase(file.name))) continue;
      if (scope === "home") others?.add(camelCase(file.name));
      if (!packs.has(file.name)) packs.set(file.name, file);
    }
  }
  return { packs: [...packs.values()], findings };
}

function problemOf(
  { name, file, scope }: PackFile,
  { packs, reserved }: {
    readonly packs: ReadonlyMap<string, PackFile>;
    readonly reserved: DiscoverOptions["reserved"];
  },
): PackFinding | undefined {
  const refuse = (why: string): PackFinding => ({
    severity: "error",
    message: `Cannot load the pack "${name}": ${why}`,
    file,
    fix: 'Give it a name of its own: rename it, or write pack = "…" in the file',
  });
  if (!NAME.test(name)) return refuse("a name has letters, digits, _ and -, a letter first");
  const owner = reserved.get(name);
  if (owner !== undefined) return refuse(`the name is that of ${owner}`);
  const first = packs.get(name);
  // A pack of the project replaces one of the home folder on purpose.
  if (!first || first.scope !== scope) return undefined;
  return refuse(`the name is that of ${first.file}`);
}

/** Every file below a folder of packs that may be taken as a pack, relative to it. */
export function packPaths(root: string): readonly string[] {
  return folders(root).slice(0, MOST_FOLDERS).flatMap((name) =>
    ENDINGS.map(([ending]) => join(name, fileName(name, ending)))
  ).filter((path) => isThere(join(root, path)));
}

/** Names of the packs below a folder of packs by their files, as far as discovery reads them. */
export function packNames(root: string): ReadonlyMap<string, string> {
  const bounds = { above: false, names: new Map<string, OwnName>(), left: MOST_MB * MB };
  const files = packFiles(root, { scope: "project", findings: [], ...bounds });
  return new Map(files.map(({ file, name }) => [file, name]));
}

function fileName(pack: string, ending: string): string {
  return `${pack}_tools.${ending}`;
}

interface OwnName {
  /** Undefined where the file has the name of its folder. */
  readonly own: string | undefined;
}

interface Search extends OwnershipOptions {
  readonly scope: PackFile["scope"];
  readonly findings: PackFinding[];
  /** By inode and language. */
  readonly names: Map<string, OwnName>;
  /** Bytes that may still be read; negative once there were more. */
  left: number;
}

function* packFiles(root: string, search: Search): Generator<PackFile> {
  const names = folders(root);
  if (names.length > 0 && !isOwn(root, search)) return;
  for (const [at, name] of names.entries()) {
    if (at === MOST_FOLDERS) return void search.findings.push(notAll(root, "folders"));
    const folder = join(root, name);
    if (!isOwn(folder, search)) continue;
    for (const [ending, language] of ENDINGS) {
      const file = join(folder, fileName(name, ending));
      const match = readName(file, language, search);
      if (search.left < 0) return void search.findings.push(notAll(root, "bytes"));
      if (match) yield { name: match.own ?? name, language, file, folder, scope: search.scope };
    }
  }
}

function folders(root: string): string[] {
  // The folder is usually missing.
  return attempt(
    () =>
      [...Deno.readDirSync(root)].filter(({ isFile }) => !isFile).map(({ name }) => name)
        .filter((name) => !name.startsWith(".")).sort(),
    [],
  );
}

function isThere(path: string): boolean {
  // Missing, or a link that leads nowhere.
  return attempt(() => !Deno.statSync(path).isDirectory, false);
}

function readName(file: string, language: Language, search: Search): OwnName | undefined {
  // Missing, or a link that leads nowhere.
  const info = attempt(() => Deno.statSync(file));
  if (!info) return undefined;
  const key = info.ino === null ? file : `${info.dev}:${info.ino}:${language}`;
  const match = search.names.get(key);
  if (match) return isOwn(file, search) ? match : undefined;
  // One that is too large on its own is not read.
  if (info.size > search.left && info.size <= MOST_BYTES) search.left = -1;
  const text = search.left < 0 ? undefined : readText(file, info, search);
  if (text === undefined) return undefined;
  const [, , own] = PACK_NAME[language].exec(text) ?? [];
  search.names.set(key, { own });
  return { own };
}

function readText(file: string, { size }: Deno.FileInfo, search: Search): string | undefined {
  const { findings, above } = search;
  // Unreadable: nothing to load.
  const own = attempt(() => readOwn(file, { maxBytes: MOST_BYTES, above }));
  // A file of the system tells no size, and was read up to the limit where it has no end.
  if (own?.kind === "text") search.left -= Math.max(size, own.text.length);
  else if (size === 0) search.left -= MOST_BYTES;
  // The folder may hold a pack of the other language.
  if (own?.kind === "refused") findings.push(refusal(file, own));
  return own?.kind === "text" ? own.text : undefined;
}

function isOwn(folder: string, { findings, above }: Search): boolean {
  // A dangling link.
  const judged = attempt(() => ({ problem: distrustOf(folder, { above }) }));
  if (judged?.problem) findings.push(refusal(folder, judged.problem));
  return judged !== undefined && judged.problem === undefined;
}

function refusal(file: string, { why, fix }: Distrust): PackFinding {
  return { severity: "warning", message: `Not taken as a pack: ${why}`, file, fix };
}

function notAll(root: string, bound: "folders" | "bytes"): PackFinding {
  const most = bound === "bytes" ? `${MOST_MB} MB` : `${MOST_FOLDERS.toLocaleString("en")} folders`;
  return {
    severity: "warning",
    message: `Not all packs are taken: those here have over ${most}`,
    file: root,
    fix: "Delete some, or make them smaller",
  };
}
