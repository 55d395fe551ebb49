/** Files of a project that the packs in the user's files import, run and load. */

import { join } from "node:path";
import { attempt, type JsonValue } from "#base";
import { readRegularText } from "#files";
import { type Language, languageOfCommand } from "../interpreters.ts";
import { nameOf, startsAnother } from "../program_name.ts";
import { expandPath } from "../rules/expand_path.ts";
import { runsPackage } from "../runs_package.ts";
import { type PackHeader, readHeader } from "../worker/describe/header.ts";
import { discoverPacks, MOST_BYTES, packPaths } from "../worker/discover/discover.ts";
import { readGrants } from "../worker/settings.ts";
import type { Extent, PackFile } from "../worker/types.ts";
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

/** Adds Python modules if the project has a pack in Python, and the files that permissions let the
 * other packs import, run or load. A pack of the home folder serves all projects: it imports
 * modules of none. */
export async function addPacks(
  { project, home, permissions }: PackSources,
  programs: Programs,
  places: ProgramPlaces,
): Promise<void> {
  const reach: Reach = { project, programs, places };
  const ownPaths = packPaths(join(project, ".onetool", "tools"));
  if (ownPaths.some((path) => path.endsWith(".py"))) addEverywhere(["python"], reach);
  const requested = createRequests([...new Set([project, home])]);
  for (const [name, value] of permissions) {
    const granted = readGrants(value);
    if (granted === true || granted.read) addEverywhere(["javascript"], reach);
    for (const permission of ["run", "ffi"] as const) {
      const extent = granted === true ? true : granted[permission];
      const extents = extent === true ? requested(name, permission) : extent ? [extent] : [];
      const add = permission === "run" ? addRun : addLibraries;
      for (const one of extents) await add(one, reach);
    }
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

type Requests = PackHeader["permissions"] | "any";

/** Creates a function that returns the extents that headers of packs request, by the name of the
 * pack. Headers are read at the first call, at most 4 MB in total: a pack beyond that may request
 * anything. */
function createRequests(
  roots: readonly string[],
): (name: string, permission: "run" | "ffi") => Extent[] {
  const requests = new Map<string, Requests>();
  let packs: readonly PackFile[] | undefined;
  let left = MOST_BYTES;

  function read({ file, language }: PackFile): Requests {
    // A file that cannot be read requests nothing.
    const text = attempt(() => readRegularText(file, left) ?? "too large", "");
    if (text === "too large") return "any";
    left -= text.length;
    return readHeader(text, { language, file }).header?.permissions ?? {};
  }

  return (name, permission) => {
    packs ??= roots.flatMap((root) =>
      discoverPacks({ project: root, home: root, reserved: new Map() }).packs
    );
    return packs.filter((pack) => pack.name === name).map((pack) => {
      const each = requests.get(pack.file) ?? read(pack);
      requests.set(pack.file, each);
      return each === "any" || (each[permission] ?? []);
    });
  };
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

/** Languages of the code that a program may be made to run; empty for a script. */
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
    programs,
    places,
    bases: [project],
    starts: new Set<string>(),
    seen: new Set<string>(),
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
