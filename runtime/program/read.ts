/** Reads a program: its text, the modules that it names, and what is wrong with either. */

import { findLinks, type Link, type Links, resolveImport, TOOLS_MODULE } from "./imports.ts";
import type { Policy } from "#packs";
import { validateCode } from "../validate/validate.ts";
import type { Validation } from "../validate/types.ts";
import { checkedText } from "./checked.ts";
import { joinValidations } from "./validations.ts";
import { type ParsedModule, parseModule } from "./parse.ts";
import { isModulePath, wrongKey } from "./paths.ts";
import { namedServers } from "./servers.ts";
import { findToolCalls } from "./tool_calls.ts";
import type {
  ProgramFinding,
  ProgramSource,
  ReadData,
  ServedModule,
  ToolCallPlace,
} from "./types.ts";
import { serveModule, wrapEntry } from "./wrap.ts";

/** Reads a program without running any of it; what it finds wrong first is the answer. */
export function readProgram(source: ProgramSource, policy: Policy): ReadData {
  const entry = entryPath(source.file);
  try {
    checkKeys(source.files);
    const files = new Map(Object.entries(source.files).map(([path, text]) => [path, clean(text)]));
    files.set(entry, clean(source.script));
    return new Reading(entry, files, policy).read();
  } catch (error) {
    if (error instanceof FoundError) return { kind: "finding", finding: error.finding };
    throw error;
  }
}

/** What is said of an import that no program may have. */
export function blockedImport(specifier: string, place: FoundPlace): ProgramFinding {
  const message = `Cannot import ${JSON.stringify(specifier)}: a program may import ` +
    `"${TOOLS_MODULE}" and .ts files beside it: use a tool instead`;
  return { code: "blocked", message, specifier, ...place };
}

interface FoundPlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Ends the reading at what was found. */
class FoundError extends Error {
  override readonly name = "FoundError";
  readonly finding: ProgramFinding;
  constructor(finding: ProgramFinding) {
    super(finding.message);
    this.finding = finding;
  }
}

/** One reading: modules are read as they are named, the entry first. */
class Reading {
  readonly #entry: string;
  readonly #files: ReadonlyMap<string, string>;
  readonly #policy: Policy;
  readonly #modules = new Map<string, ServedModule>();
  readonly #validations = new Map<string, Validation>();
  #toolCalls: readonly ToolCallPlace[] = [];
  #servers: Set<string> | null = new Set();
  #open = false;

  constructor(entry: string, files: ReadonlyMap<string, string>, policy: Policy) {
    this.#entry = entry;
    this.#files = files;
    this.#policy = policy;
  }

  read(): ReadData {
    this.#follow([this.#entry]);
    // An address made at run time may lead to any of the files.
    if (this.#open) this.#readRest();
    return {
      kind: "program",
      entry: this.#entry,
      modules: [...this.#modules.values()],
      servers: this.#servers && [...this.#servers],
      validation: joinValidations(this.#validations),
      toolCalls: this.#toolCalls,
    };
  }

  #follow(start: readonly string[]): void {
    const queue = [...start];
    for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
      if (!this.#modules.has(path)) queue.push(...this.#readModule(path));
    }
  }

  #readRest(): void {
    for (const path of this.#files.keys()) {
      try {
        this.#follow([path]);
      } catch (error) {
        // Nothing names this file: it is missing only if the program reaches for it.
        if (!(error instanceof FoundError)) throw error;
      }
    }
  }

  /** Reads one module; returns those that it names. */
  #readModule(path: string): string[] {
    const text = this.#files.get(path) ?? "";
    const parsed = parseModule(text);
    if (parsed.kind === "failed") {
      const { message, line, column } = parsed;
      throw new FoundError({ code: "syntax_error", message, file: path, line, column });
    }
    const { links, open } = findLinks(parsed);
    this.#open ||= open;
    const named = links.flatMap((link) => this.#target(link, path));
    this.#addServers(parsed, { links, open });
    this.#validations.set(path, validateCode(parsed, { policy: this.#policy }));
    const isEntry = path === this.#entry;
    if (isEntry) this.#toolCalls = findToolCalls(parsed);
    const checked = isEntry ? checkedText(parsed) : text;
    this.#modules.set(path, { path, text, checked, ...this.#serve(parsed, path) });
    return named;
  }

  #serve(parsed: ParsedModule, path: string) {
    if (path === this.#entry) return wrapEntry(parsed);
    if (path.endsWith(".d.ts")) {
      return { served: "export {};", shifts: [], transpile: false, form: "module" as const };
    }
    return serveModule(parsed);
  }

  #target(link: Link, from: string): string[] {
    const { specifier, line, column } = link;
    const place = { file: from, line, column, specifier };
    const target = link.attributes ? { kind: "blocked" as const } : resolveImport(specifier, from);
    if (target.kind === "tools") return [];
    if (target.kind === "blocked") throw new FoundError(blockedImport(specifier, place));
    if (target.path === this.#entry) {
      const message =
        `Cannot import ${JSON.stringify(specifier)}: it is the program itself: move ` +
        "what is shared to a file beside it";
      throw new FoundError({ code: "type_error", message, ...place });
    }
    if (this.#files.has(target.path)) return [target.path];
    const message = `Cannot import ${JSON.stringify(specifier)}: no such file beside the program`;
    throw new FoundError({ code: "type_error", message, ...place });
  }

  #addServers(parsed: ParsedModule, { links, open }: Links): void {
    const tools = links.filter(({ specifier }) => specifier === TOOLS_MODULE);
    const unknown = open || tools.some(({ dynamic }) => dynamic);
    const names = unknown ? null : tools.length === 0 ? [] : namedServers(parsed);
    if (names === null || this.#servers === null) this.#servers = null;
    else for (const name of names) this.#servers.add(name);
  }
}

/** The entry's path among the modules: its name without the folder it lies in. */
function entryPath(file: string): string {
  const name = file.split(/[\\/]/).at(-1) ?? "";
  return isModulePath(name) && !name.endsWith(".d.ts") ? name : "main.ts";
}

function checkKeys(files: Readonly<Record<string, string>>): void {
  const path = wrongKey(files);
  if (path === undefined) return;
  const message = `Cannot take the file ${JSON.stringify(path)}: keys of "files" are relative ` +
    'paths of .ts files without "..", nothing in them beginning with a dot';
  throw new FoundError({ code: "bad_request", message, file: path });
}

/** Without a byte order mark: no position counts it. */
function clean(text: string): string {
  return text.startsWith("\ufeff") ? text.slice(1) : text;
}
