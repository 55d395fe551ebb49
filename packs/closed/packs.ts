/** Files of a project that the packs in the user's files import, run and load. */

import { attempt, type JsonValue } from "#base";
import { readRegularText } from "#files";
import { type Language, languageOfCommand } from "../interpreters.ts";
import { nameOf, startsAnother } from "../program_name.ts";
import { expandPath } from "../rules/expand_path.ts";
import { runsPackage } from "../runs_package.ts";
import { readHeader } from "../worker/describe/header.ts";
import { discoverPacks, MOST_BYTES } from "../worker/discover/discover.ts";
import { readGrants } from "../worker/settings.ts";
import type { Extent, Grants, PackFile, Permission } from "../worker/types.ts";
import { languageOfName, languagesThere, MODULES } from "./languages.ts";
import { namesOf } from "./link_names.ts";
import { addServer } from "./programs.ts";
import { addScript, type ProgramPlaces, type Programs } from "./scripts.ts";

export interface PackSources {
  readonly project: string;
  readonly home: string;
  /** `packs.<name>.permissions`, by the names of the packs. A name may occur more than once. */
  readonly permissions: readonly (readonly [pack: string, JsonValue])[];
}

/** Adds Python's modules where the project has a pack in Python, and what the other packs are granted.
 * A pack of the home folder is for all projects: it imports modules of none. */
export async function addPacks(
  { project, home, permissions }: PackSources,
  programs: Programs,
  places: ProgramPlaces,
): Promise<void> {
  const [own = [], homes = []] = [...new Set([project, home])].map((root) =>
    discoverPacks({ project: root, home: root, reserved: new Map() }).packs
  );
  const packs = [...own, ...homes];
  const reach: Reach = { project, programs, places };
  if (own.some(({ language }) => language === "python")) addEverywhere(["python"], reach);
  for (const [name, value] of permissions) {
    const granted = readGrants(value);
    const files = packs.filter((pack) => pack.name === name);
    if (granted === true || granted.read) addEverywhere(["javascript"], reach);
    for (const extent of extentsOf("run", granted, files)) await addRun(extent, reach);
    for (const extent of extentsOf("ffi", granted, files)) await addLibraries(extent, reach);
  }
}

interface Reach {
  readonly project: string;
  readonly programs: Programs;
  readonly places: ProgramPlaces;
}

/** Adds the modules of languages in all folders that programs may use. */
function addEverywhere(languages: readonly Language[], { programs, places }: Reach): void {
  for (const language of languages) {
    for (const folder of places.allowed) {
      programs.modules.push({ folder, ending: MODULES[language] });
    }
  }
}

/** Extents that a permission may have: the grant, or what headers ask for where all is granted. */
function extentsOf(
  permission: Permission,
  granted: Grants,
  files: readonly PackFile[],
): readonly Extent[] {
  const extent = granted === true ? true : granted[permission];
  if (extent !== true) return extent === undefined ? [] : [extent];
  return files.map((file) => headerOf(file)?.permissions[permission] ?? []);
}

function headerOf({ file, language }: PackFile) {
  const text = attempt(() => readRegularText(file, MOST_BYTES));
  return text === undefined ? undefined : readHeader(text, { language, file }).header;
}

/** Adds programs that a pack may start in the project, with arguments of its choice. */
async function addRun(extent: Extent, reach: Reach): Promise<void> {
  if (extent === true) return addEverywhere(["shell"], reach);
  const { project, programs, places } = reach;
  for (const command of extent) {
    await addServer({ command, args: [], env: {}, cwd: project }, programs, places);
    addEverywhere(languagesBehind(nameOf(command)), reach);
  }
}

/** Languages of what a program may be told to run; none of a script. */
function languagesBehind(program: string): Language[] {
  if (languageOfName(program) !== undefined) return [];
  const isAny = startsAnother(program) || runsPackage([program]) !== undefined;
  const own = languageOfCommand([program]);
  return [
    ...(isAny ? ["shell" as const] : []),
    ...languagesThere([program]),
    ...(own ? [own] : []),
  ];
}

/** Adds libraries, and folders of them: a library may have any name. */
async function addLibraries(extent: Extent, reach: Reach): Promise<void> {
  if (extent === true) return addEverywhere(["native"], reach);
  const { project, programs, places } = reach;
  const reader = {
    ...{ programs, places, bases: [project] },
    ...{ starts: new Set<string>(), seen: new Set<string>() },
  };
  for (const item of extent) {
    const path = expandPath(item, { home: places.home, base: project });
    const script = {
      ...reader,
      isPackage: false,
      language: "native" as const,
      interpreter: undefined,
    };
    await addScript(path, script, { isEntry: true });
    for (const folder of namesOf(path)) {
      programs.modules.push({ folder, ending: MODULES.shell });
    }
  }
}
