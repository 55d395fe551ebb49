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
  /** Names that packs of an untrusted project do not take, beside those of the home folder's packs. */
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

/** Size limit of a pack's file. */
export const MOST_BYTES = 4 * 1024 * 1024;

/** Names that no file can take, each with what has it. */
export function reservedNames(servers: readonly string[]): ReadonlyMap<string, string> {
  return new Map([
    ...Object.keys(RESERVED).map((name) => [name, "a pack that Toolscript needs"] as const),
    ...servers.map((name) => [name, "a server"] as const),
  ]);
}

/** Finds `.onetool/tools/<pack>/<pack>_tools.ts` and `.py` in both folders. Of two packs with one name
 * the first counts; the other is a finding, as is a file that another user can write. */
export function discoverPacks(
  { project, home, checksAbove = true, reserved, yieldsTo }: DiscoverOptions,
): Discovered {
  const findings: PackFinding[] = [];
  const packs = new Map<string, PackFile>();
  const others = new Set(yieldsTo?.map((name) => camelCase(name)));
  const roots: [string, PackFile["scope"]][] = [[project, "project"], [home, "home"]];
  if (yieldsTo) roots.reverse();
  for (const [root, scope] of isSameFolder(project, home) ? roots.slice(0, 1) : roots) {
    const search = { scope, findings, above: checksAbove };
    for (const file of packFiles(join(root, ".onetool", "tools"), search)) {
      if (scope === "project" && others.has(camelCase(file.name))) continue;
      const clash = problemOf(file, { packs, reserved });
      if (clash) findings.push(clash);
      else if (!packs.has(file.name)) packs.set(file.name, file);
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
  return folders(root).flatMap((name) =>
    ENDINGS.map(([ending]) => join(name, fileName(name, ending)))
  ).filter((path) => isThere(join(root, path)));
}

function fileName(pack: string, ending: string): string {
  return `${pack}_tools.${ending}`;
}

interface Search extends OwnershipOptions {
  readonly scope: PackFile["scope"];
  readonly findings: PackFinding[];
}

function* packFiles(root: string, search: Search): Generator<PackFile> {
  const names = folders(root);
  if (names.length > 0 && !isOwn(root, search)) return;
  for (const name of names) {
    const folder = join(root, name);
    if (!isOwn(folder, search)) continue;
    for (const [ending, language] of ENDINGS) {
      const file = join(folder, fileName(name, ending));
      const text = readText(file, search);
      if (text === undefined) continue;
      const [, , own] = PACK_NAME[language].exec(text) ?? [];
      yield { name: own ?? name, language, file, folder, scope: search.scope };
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

function readText(file: string, { findings, above }: Search): string | undefined {
  // Unreadable: nothing to load.
  const own = attempt(() => readOwn(file, { maxBytes: MOST_BYTES, above }));
  if (own?.kind === "text") return own.text;
  // The folder may hold a pack of the other language.
  if (own?.kind === "refused") findings.push(refusal(file, own));
  return undefined;
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
