/** The files that the compiler sees: the program, the declared types, the library. No others. */

import type { CheckSource } from "./types.ts";

/** Folders that no path of an author's looks like, so that messages can be cleaned of them. */
const PROGRAM = "/__program";
const RUNTIME = "/__runtime";
const TOOLS_FILE = `${RUNTIME}/tools.ts`;
const NO_TOOLS = "export {};";
/** Begins with a dot: no module beside the entry can have this name. */
export const ENTRY_FILE = `${PROGRAM}/.entry.ts`;
export const PROJECT_FILE = "/tsconfig.json";
/** File-system functions that the compiler calls here instead of using the disk. */
export const CALLBACKS = [
  "readFile",
  "fileExists",
  "directoryExists",
  "getAccessibleEntries",
  "realpath",
] as const;

export interface FileChanges {
  readonly changed: readonly string[];
  readonly created: readonly string[];
  readonly deleted: readonly string[];
}

/** Options under which programs and packs are checked. */
export const STRICT_OPTIONS = {
  strict: true,
  useUnknownInCatchVariables: false,
  target: "esnext",
  module: "esnext",
  noLib: true,
  types: [],
  moduleResolution: "bundler",
  moduleDetection: "force",
  allowImportingTsExtensions: true,
  noEmit: true,
  skipLibCheck: true,
};
const OPTIONS = {
  ...STRICT_OPTIONS,
  isolatedModules: true,
  resolveJsonModule: false,
  paths: { toolscript: [TOOLS_FILE] },
};

/** The virtual disk of one compiler process. */
export class VirtualFiles {
  readonly #files: Map<string, string>;
  readonly #folders = new Set(["/", PROGRAM, RUNTIME]);
  #declared: ReadonlyMap<string, string> = new Map();
  #modules: ReadonlySet<string> = new Set();

  constructor(library: readonly string[]) {
    const libraries = library.map((text, n) => [`/__library_${n}.d.ts`, text] as const);
    // The tools are named here so that they stay read while programs come that do not import them.
    const files = [...libraries.map(([file]) => file), TOOLS_FILE, ENTRY_FILE];
    this.#files = new Map([
      [PROJECT_FILE, JSON.stringify({ compilerOptions: OPTIONS, files })],
      ...libraries,
      [ENTRY_FILE, ""],
      [TOOLS_FILE, NO_TOOLS],
    ]);
  }

  get declared(): ReadonlyMap<string, string> {
    return this.#declared;
  }

  /** The program's own text, as the compiler sees it. */
  get entry(): string {
    return this.#files.get(ENTRY_FILE) ?? "";
  }

  /** Answers one of the compiler's questions. */
  answer(method: string, path: unknown): unknown {
    if (typeof path !== "string") return null;
    switch (method) {
      case "readFile":
        // An answer of null would lead to the real disk.
        return { content: this.#files.get(path) ?? null };
      case "fileExists":
        return this.#files.has(path);
      case "directoryExists":
        return this.#folders.has(path);
      case "getAccessibleEntries":
        return { files: [], directories: [] };
      default:
        return path;
    }
  }

  /** Lays a program and the declarations out; returns what differs from before. */
  lay(source: CheckSource, declared: ReadonlyMap<string, string>): FileChanges {
    const changes = { changed: [] as string[], created: [] as string[], deleted: [] as string[] };
    if (declared !== this.#declared) this.#declare(declared, changes);
    const modules = new Set<string>();
    for (const [path, text] of source.files) {
      const file = programFile(path, source.entry);
      modules.add(file);
      // The compiler takes no lone surrogate; every position stays.
      const wellFormed = text.toWellFormed();
      this.#write(file, file === ENTRY_FILE ? naming(wellFormed) : wellFormed, changes);
    }
    for (const file of this.#modules.difference(modules)) this.#remove(file, changes);
    this.#modules = modules;
    return changes;
  }

  #declare(declared: ReadonlyMap<string, string>, changes: Changes): void {
    for (const [path, text] of declared) this.#write(`${RUNTIME}/${path}`, text, changes);
    for (const path of this.#declared.keys()) {
      if (!declared.has(path)) this.#remove(`${RUNTIME}/${path}`, changes);
    }
    if (!this.#files.has(TOOLS_FILE)) this.#write(TOOLS_FILE, NO_TOOLS, changes);
    this.#declared = declared;
  }

  #write(file: string, text: string, changes: Changes): void {
    const before = this.#files.get(file);
    if (before === text) return;
    (before === undefined ? changes.created : changes.changed).push(file);
    this.#files.set(file, text);
    for (let end = file.lastIndexOf("/"); end > 0; end = file.lastIndexOf("/", end - 1)) {
      this.#folders.add(file.slice(0, end));
    }
  }

  #remove(file: string, changes: Changes): void {
    if (file === ENTRY_FILE || !this.#files.delete(file)) return;
    changes.deleted.push(file);
  }
}

type Changes = { [Key in keyof FileChanges]: string[] };

/** Where a module of the program stands on the virtual disk. */
export function programFile(path: string, entry: string): string {
  return path === entry ? ENTRY_FILE : `${PROGRAM}/${path}`;
}

/** A message with the author's names for files. */
export function authorNames(message: string, entry: string): string {
  return message
    .replaceAll(ENTRY_FILE, () => entry)
    .replaceAll(ENTRY_FILE.replace(/\.ts$/, ""), () => entry.replace(/\.ts$/, ""))
    .replaceAll(`${PROGRAM}/`, "./")
    .replaceAll(`${RUNTIME}/tools`, "toolscript")
    .replaceAll(`${RUNTIME}/`, "toolscript/");
}

const SPECIFIER =
  /\b(?:from|import|require|module)\b\s*(?:\(\s*)?(["'`])((?:\\.|(?!\1)[^\\\n])*)\1|(\/\/\/[^\n]*)/g;

const TOOLS = "toolscript";

/** Lists the module names in a text, in order. A string or a comment that looks like an import
 * adds a name; an import with a comment inside it is missed. */
export function linksOf(text: string): string[] {
  return [...text.matchAll(SPECIFIER)].map(([, , name, reference]) => name ?? reference ?? "");
}

/** Appends an import of the tools' module to a program without one: the compiler resolves all
 * modules again for a program whose imports differ from those of the program before it. */
export function naming(text: string): string {
  return linksOf(text).includes(TOOLS) ? text : `${text}\n;import "${TOOLS}";`;
}
