/** Files that the compiler sees while a pack is described: those of the pack and its packages,
 * Deno's types, and the modules behind "toolscript". */

import type { ModuleSource } from "#packs";
import { attempt } from "#base";
import { STRICT_OPTIONS } from "../check/virtual_files.ts";
import { openComments } from "./comments.ts";

export const PROJECT_FILE = "/tsconfig.json";
export const PACK = "/__pack";
const PACKAGES = "/__pack/node_modules";
const SDK_FOLDER = "/__sdk";
/** Module that imports the pack as `pack`, so that questions can name it. */
export const INDEX_FILE = "/__index.ts";
const INDEX_START = "import * as ";
/** Position of that name. */
export const INDEX_POSITION = INDEX_START.length;

export interface DiskOptions {
  readonly source: ModuleSource;
  /** Declarations of the language and of Deno. */
  readonly library: readonly string[];
  /** Text of "toolscript" and the modules that it imports, by file name. */
  readonly sdk: ReadonlyMap<string, string>;
}

/** Virtual disk that answers the compiler's questions about files. */
export class PackDisk {
  readonly #packages: string | undefined;
  readonly #files: ReadonlyMap<string, string>;
  readonly #folders = new Set(["/", PACK, SDK_FOLDER]);

  constructor({ source, library, sdk }: DiskOptions) {
    this.#packages = source.packages && Deno.realPathSync(`${source.packages}/node_modules`);
    const libraries = library.map((text, n) => [`/__library_${n}.d.ts`, text] as const);
    const own = [...source.files].map(([name, text]) => [`${PACK}/${name}`, textFor(name, text)]);
    const ours = [...sdk].map(([name, text]) => [`${SDK_FOLDER}/${name}`, text]);
    this.#files = new Map([
      [PROJECT_FILE, projectOf(source.entry, libraries.map(([file]) => file))],
      [INDEX_FILE, `${INDEX_START}pack from ${JSON.stringify(`.${PACK}/${source.entry}`)};\n`],
      ...libraries,
      ...own as [string, string][],
      ...ours as [string, string][],
    ]);
    for (const file of this.#files.keys()) {
      for (let end = file.lastIndexOf("/"); end > 0; end = file.lastIndexOf("/", end - 1)) {
        this.#folders.add(file.slice(0, end));
      }
    }
  }

  textOf(file: string): string | undefined {
    return file.startsWith(`${PACK}/`) ? this.#files.get(file) : undefined;
  }

  /** Tells whether a file belongs neither to the pack nor to its packages. */
  isForeign(file: string): boolean {
    return !file.startsWith(`${PACK}/`);
  }

  answer(method: string, path: unknown): unknown {
    if (typeof path !== "string") return null;
    const real = this.#inPackages(path);
    switch (method) {
      case "readFile":
        return { content: real === undefined ? this.#files.get(path) ?? null : readText(real) };
      case "fileExists":
        return real === undefined ? this.#files.has(path) : statOf(real)?.isFile === true;
      case "directoryExists":
        return real === undefined ? this.#folders.has(path) : statOf(real)?.isDirectory === true;
      case "getAccessibleEntries":
        return { files: [], directories: [] };
      default:
        return real === undefined ? path : this.#virtual(real);
    }
  }

  /** File on the real disk for a path below the packages; links out of them are not followed. */
  #inPackages(path: string): string | undefined {
    if (this.#packages === undefined || !`${path}/`.startsWith(`${PACKAGES}/`)) return undefined;
    const target = this.#packages + path.slice(PACKAGES.length);
    // A missing file has no text.
    const real = attempt(() => Deno.realPathSync(target), target);
    return `${real}/`.startsWith(`${this.#packages}/`) ? real : target + "/outside";
  }

  #virtual(real: string): string {
    return PACKAGES + real.slice(this.#packages?.length ?? 0);
  }
}

function textFor(name: string, text: string): string {
  const sound = text.toWellFormed();
  return /\.[cm]?tsx?$/.test(name) ? openComments(sound).text : sound;
}

function projectOf(entry: string, libraries: readonly string[]): string {
  return JSON.stringify({
    compilerOptions: {
      ...STRICT_OPTIONS,
      resolveJsonModule: true,
      paths: { toolscript: [`${SDK_FOLDER}/toolscript.ts`] },
    },
    files: [...libraries, INDEX_FILE, `${PACK}/${entry}`],
  });
}

function readText(path: string): string | null {
  // The path does not exist or is not a file.
  return attempt(() => Deno.readTextFileSync(path), null);
}

function statOf(path: string): Deno.FileInfo | undefined {
  // The path does not exist.
  return attempt(() => Deno.statSync(path));
}
