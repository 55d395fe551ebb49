/** Reads a script with the modules that it imports. */

import type { Policy } from "#packs";
import { validateCode } from "../validate/validate.ts";
import type { Validation } from "../validate/types.ts";
import { checkedText } from "./checked_text.ts";
import { findLinks, type Link, resolveImport } from "../syntax/imports.ts";
import { type ParsedModule, parseModule } from "../syntax/parse.ts";
import { isModulePath, wrongKey } from "../syntax/paths.ts";
import { hasTooManyTokens, MOST_TOKENS } from "./quick.ts";
import { blockedImport, MAX_FINDINGS, outsideImport, refusedProgram } from "./refusals.ts";
import { usedServers } from "./servers.ts";
import { findToolCalls } from "./tool_calls.ts";
import type {
  ProgramFinding,
  ProgramSource,
  ReaderAnswer,
  ServedModule,
  ToolCallPlace,
} from "./types.ts";
import { serveModule, wrapEntry } from "./wrap.ts";

/** Reads a script without running it; the result holds all findings. */
export function readScript(source: ProgramSource, policy: Policy): ReaderAnswer {
  const wrong = wrongFile(source.files) ?? tooLarge(source);
  if (wrong) return { kind: "finding", finding: wrong };
  const entry = entryPath(source.file);
  const files = new Map(Object.entries(source.files).map(([path, text]) => [path, clean(text)]));
  files.set(entry, clean(source.script));
  return new Reading(entry, { files, policy, outside: new Set(source.outside) }).read();
}

interface ReadingOptions {
  readonly files: ReadonlyMap<string, string>;
  readonly policy: Policy;
  readonly outside: ReadonlySet<string>;
}

/** One reading of a script: the entry first, then modules in the order of their imports. */
class Reading {
  readonly #entry: string;
  readonly #files: ReadonlyMap<string, string>;
  readonly #policy: Policy;
  readonly #outside: ReadonlySet<string>;
  readonly #modules = new Map<string, ServedModule>();
  readonly #validations = new Map<string, Validation>();
  readonly #findings: ProgramFinding[] = [];
  #toolCalls: readonly ToolCallPlace[] = [];
  #servers: Set<string> | null = new Set();
  #open = false;

  constructor(entry: string, { files, policy, outside }: ReadingOptions) {
    this.#entry = entry;
    this.#files = files;
    this.#policy = policy;
    this.#outside = outside;
  }

  read(): ReaderAnswer {
    this.#follow();
    const refused = refusedProgram(this.#findings, joinValidations(this.#validations));
    if (refused) return refused;
    // An address that is computed at run time may lead to any of the files.
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

  #follow(): void {
    const seen = new Set([this.#entry]);
    for (const path of seen) {
      const { findings, targets } = this.#readModule(path);
      this.#findings.push(...findings.slice(0, MAX_FINDINGS - this.#findings.length));
      for (const target of targets) seen.add(target);
    }
  }

  /** Reads the files that no literal import names. One with errors is left out, and fails only if
   * the program imports it. */
  #readRest(): void {
    for (const path of this.#files.keys()) {
      if (this.#modules.has(path)) continue;
      const { findings } = this.#readModule(path);
      if (findings.length > 0) this.#validations.delete(path);
    }
  }

  /** Reads one module; returns the modules that it imports, and its findings. */
  #readModule(path: string): Linked {
    const text = this.#files.get(path) ?? "";
    const parsed = parseModule(text);
    if (parsed.kind === "failed") {
      const { message, line, column } = parsed;
      const finding = { code: "syntax_error", message, file: path, line, column } as const;
      return { targets: [], findings: [finding] };
    }
    const { links, open } = findLinks(parsed);
    const linked = this.#targets(links, path);
    this.#validations.set(path, validateCode(parsed, { policy: this.#policy }));
    if (linked.findings.length > 0) return linked;
    this.#open ||= open;
    this.#addServers(usedServers(parsed, { links, open }));
    const isEntry = path === this.#entry;
    if (isEntry) this.#toolCalls = findToolCalls(parsed);
    const checked = isEntry ? checkedText(parsed) : text;
    this.#modules.set(path, { path, text, checked, ...this.#serve(parsed, path) });
    return linked;
  }

  #serve(parsed: ParsedModule, path: string) {
    if (path === this.#entry) return wrapEntry(parsed);
    if (path.endsWith(".d.ts")) {
      return { served: "export {};", shifts: [], transpile: false, form: "module" as const };
    }
    return serveModule(parsed);
  }

  #targets(links: readonly Link[], from: string): Linked {
    const targets: string[] = [];
    const findings: ProgramFinding[] = [];
    for (const link of links) {
      const { specifier, line, column } = link;
      const place = { file: from, line, column };
      const target = link.attributes
        ? { kind: "blocked" as const }
        : resolveImport(specifier, from);
      if (target.kind === "blocked") {
        findings.push(blockedImport(specifier, { place, policy: this.#policy }));
      } else if (target.kind === "module" && this.#outside.has(target.path)) {
        findings.push(outsideImport(specifier, place));
      } else if (target.kind === "module") {
        const problem = this.#missing(target.path);
        if (problem === undefined) targets.push(target.path);
        else {
          const message = `Cannot import ${JSON.stringify(specifier)}: ${problem}`;
          findings.push({ code: "type_error", message, specifier, ...place });
        }
      }
    }
    return { targets, findings };
  }

  /** Problem with the path of a module; undefined where the module exists. */
  #missing(path: string): string | undefined {
    if (path === this.#entry) {
      return "it is the program itself: move what is shared to a file beside it";
    }
    return this.#files.has(path) ? undefined : "no such file beside the program";
  }

  #addServers(names: readonly string[] | null): void {
    if (names === null || this.#servers === null) this.#servers = null;
    else for (const name of names) this.#servers.add(name);
  }
}

/** Targets of the imports of a module. */
interface Linked {
  readonly targets: readonly string[];
  readonly findings: readonly ProgramFinding[];
}

/** Path of the entry among the modules: its file name. */
function entryPath(file: string): string {
  const name = file.split(/[\\/]/).at(-1) ?? "";
  return isModulePath(name) && !name.endsWith(".d.ts") ? name : "main.ts";
}

function wrongFile(files: Readonly<Record<string, string>>): ProgramFinding | undefined {
  const path = wrongKey(files);
  if (path === undefined) return undefined;
  const message = `Cannot use the file ${JSON.stringify(path)}: keys of "files" are relative ` +
    'paths of .ts files without "..", nothing in them beginning with a dot';
  return { code: "bad_request", message, file: path };
}

function tooLarge({ script, file, files }: ProgramSource): ProgramFinding | undefined {
  if (!hasTooManyTokens([script, ...Object.values(files)])) return undefined;
  const message = `The script and its files have over ${MOST_TOKENS.toLocaleString("en")} words ` +
    "and marks: keep data in a file that a tool reads";
  return { code: "too_large", message, file };
}

/** Removes the byte order mark, which no position counts. */
function clean(text: string): string {
  return text.startsWith("\ufeff") ? text.slice(1) : text;
}

/** Joins the validations of several modules, by path, into one. */
function joinValidations(modules: ReadonlyMap<string, Validation>): Validation {
  const all = [...modules].map(([file, validation]) => ({
    ...validation,
    findings: validation.findings.map((finding) => ({ ...finding, file })),
  }));
  return {
    valid: all.every(({ valid }) => valid),
    errors: all.flatMap(({ errors }) => errors),
    warnings: all.flatMap(({ warnings }) => warnings),
    requiresConfirmation: all.some(({ requiresConfirmation }) => requiresConfirmation),
    findings: all.flatMap(({ findings }) => findings),
    open: all.some(({ open }) => open),
  };
}
