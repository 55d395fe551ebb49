/** Keeps the generated modules up to date: writes a changed module again on request. */

import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { createQueue, inlineModule, isObject, type Log, silent } from "#base";
import type { Project, ToolEntry } from "#packs";
import {
  emitDeclaration,
  emitExpression,
  emitFiltered,
  emitIndex,
  emitModule,
  emitScriptModule,
  packPath,
} from "./emit.ts";
import { filterPacks } from "./filter.ts";
import type { ProjectRow } from "./proj.ts";
import type { LearnedResult } from "./result_type.ts";
import { createToolTexts, type KeepsResult, type TimedPack } from "./tool_texts.ts";

/** Time that `prepare` works before it yields, in milliseconds. */
const SLICE = 4;

export interface ModuleGenerator {
  /** Takes the registry's tools, in order; a changed pack is generated again when it is next
   * read. */
  update(entries: readonly ToolEntry[]): void;
  /** Takes the configured projects in place of those before. */
  setProjects(projects: readonly Project[]): void;
  /** Grows by one with every update that changed something. */
  readonly version: number;
  /** The text at `/runtime/<path>` (`tools.ts`, and what it imports, relatively), or undefined.
   * `tools.js` is what `tools.ts` is to a sandbox process: JavaScript without imports. */
  file(path: string): string | undefined;
  /** The same with all that is learned by now, and with some of the tools. `filter` holds servers,
   * `server__tool` names or globs of either; it narrows `tools.ts` and the packs' own files. Filters
   * are applied one at a time. */
  filtered(path: string, filter: readonly string[]): Promise<string | undefined>;
  /** Exports of `tools.js`, as an expression that needs no scope. */
  expression(): string;
  /** Every file below `/runtime/` with its types, for the type checker. Results that are not kept
   * are `any`. */
  declarations(keeps?: KeepsResult): ReadonlyMap<string, string>;
  /** Takes what was learned of these packs by now into the declarations. */
  relearn(packs: ReadonlySet<string>): void;
  /** Generates ahead what `declarations` will ask for, a few milliseconds at a time. */
  prepare(): Promise<void>;
}

interface PackState extends TimedPack {
  text?: string;
}

export interface ModuleGeneratorOptions {
  /** The configured projects, which `proj` holds. */
  readonly projects?: readonly Project[];
  /** Types of results without an output schema. */
  readonly learned?: (entry: ToolEntry) => LearnedResult | undefined;
  readonly log?: Log;
}

/** Creates the generator, without tools at first.
 *
 * @example
 * ```ts
 * import { nameTools } from "#packs";
 * import { createModuleGenerator } from "#runtime";
 * const spec = { name: "add", description: "Adds", inputSchema: { type: "object" } };
 * const generator = createModuleGenerator();
 * generator.update(nameTools([{ name: "sums", source: "local", tools: [spec] }]).entries);
 * console.assert(generator.file("types/sums.ts")?.includes("add(args?: AddArgs, options?: CallOptions): Promise<any>"));
 * ```
 */
export function createModuleGenerator(options: ModuleGeneratorOptions = {}): ModuleGenerator {
  let projects = rowsOf(options.projects ?? []);
  const client = readFileSync(new URL("./pack_proxy.ts", import.meta.url), "utf8");
  const proj = readFileSync(new URL("./proj.ts", import.meta.url), "utf8");
  const lists = readFileSync(new URL("./lists.ts", import.meta.url), "utf8");
  const own = new Map([["pack_proxy.ts", client], ["proj.ts", proj], ["lists.ts", lists]]);
  const library = inlineModule("pack_proxy", client) + inlineModule("proj", proj) +
    inlineModule("lists", lists);
  const texts = createToolTexts({ log: silent, ...options });
  let packs: readonly PackState[] = [];
  let paths = new Map<string, PackState>();
  let shared = new Map<string, string>();
  let version = 0;
  const filtering = createQueue();

  function packText(pack: PackState): string {
    return pack.text ??= texts.ofPack(pack);
  }

  function once(path: string, make: () => string): string {
    const text = shared.get(path) ?? make();
    shared.set(path, text);
    return text;
  }

  function file(path: string): string | undefined {
    if (path === "types.ts") return once(path, () => emitIndex(packs));
    if (path === "tools.ts") return once(path, () => emitModule(packs, projects));
    if (path === "tools.js") {
      return once(path, () => emitScriptModule(packs, { projects, library }));
    }
    const pack = paths.get(path);
    return pack ? packText(pack) : own.get(path);
  }

  async function filtered(path: string, filter: readonly string[]): Promise<string | undefined> {
    const pack = paths.get(path);
    if (pack && filter.length === 0) return texts.ofPack(pack);
    if (filter.length === 0 || (path !== "tools.ts" && !pack)) return file(path);
    const { packs: parts, unmatched } = await filtering(() => filterPacks(packs, filter));
    if (!pack) return emitFiltered(parts, { unmatched, projects });
    const part = parts.find(({ key }) => key === pack.key);
    return part && texts.ofPack(part);
  }

  return {
    get version() {
      return version;
    },
    update(entries) {
      const next = groupByPack(entries, new Map(packs.map((pack) => [pack.name, pack])));
      const same = next.length === packs.length && next.every((pack, at) => pack === packs[at]);
      if (same) return;
      packs = next;
      paths = new Map(packs.map((pack) => [packPath(pack.key), pack]));
      shared = new Map();
      version++;
    },
    setProjects(next) {
      const rows = rowsOf(next);
      if (isDeepStrictEqual(rows, projects)) return;
      projects = rows;
      shared = new Map();
      version++;
    },
    file,
    filtered,
    expression() {
      return once("", () => emitExpression(packs, { projects, library }));
    },
    declarations(keeps) {
      const files = new Map([["tools.ts", emitDeclaration(projects)], ...own]);
      files.set("types.ts", once("types.ts", () => emitIndex(packs)));
      for (const [path, pack] of paths) {
        const isWhole = !keeps || pack.entries.every(keeps);
        files.set(path, isWhole ? packText(pack) : texts.ofPack(pack, keeps));
      }
      return files;
    },
    relearn(names) {
      for (const pack of packs) if (names.has(pack.name)) pack.text = undefined;
    },
    async prepare() {
      let startedAt = performance.now();
      const tools = packs.flatMap(({ entries, spent }) =>
        entries.map((entry) => ({ entry, spent }))
      );
      for (const { entry, spent } of tools) {
        texts.ofTool(entry, spent);
        if (performance.now() - startedAt < SLICE) continue;
        await new Promise((resolve) => setTimeout(resolve, 0));
        startedAt = performance.now();
      }
    },
  };
}

function rowsOf(projects: readonly Project[]): readonly ProjectRow[] {
  return projects.map(({ name, path, attrs }) => [name, path, attrs]);
}

/** The packs of these tools; those that did not change are the ones known. */
function groupByPack(
  entries: readonly ToolEntry[],
  states: ReadonlyMap<string, PackState>,
): PackState[] {
  const groups = new Map<string, ToolEntry[]>();
  for (const entry of entries) {
    const group = groups.get(entry.pack);
    if (group) group.push(entry);
    else groups.set(entry.pack, [entry]);
  }
  return [...groups].map(([name, tools]) => {
    const key = tools[0]?.packKey ?? name;
    const before = states.get(name);
    const same = before?.key === key && before.entries.length === tools.length &&
      before.entries.every((entry, at) => tools[at] !== undefined && sameEntry(entry, tools[at]));
    return same ? before : { name, key, entries: tools, whole: true, spent: { ms: 0 } };
  });
}

const MAX_DEPTH = 200;

/** Compares what the generated text is made of. */
function sameEntry(one: ToolEntry, other: ToolEntry): boolean {
  if (one.wire !== other.wire || one.tool !== other.tool || one.toolKey !== other.toolKey) {
    return false;
  }
  const [left, right] = [one.spec, other.spec];
  return left === right ||
    (left.description === right.description && left.title === right.title &&
      sameJson(left.inputSchema, right.inputSchema, 0) &&
      sameJson(left.outputSchema, right.outputSchema, 0));
}

/** Returns true if two values are equal; values too deep to compare count as changed. */
function sameJson(one: unknown, other: unknown, depth: number): boolean {
  if (Object.is(one, other)) return true;
  if (depth > MAX_DEPTH) return false;
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length &&
      one.every((value, index) => sameJson(value, other[index], depth + 1));
  }
  if (!isObject(one) || !isObject(other)) return false;
  // The order of properties is part of the generated text.
  const names = Object.keys(one);
  const otherNames = Object.keys(other);
  return names.length === otherNames.length && names.every((name, index) => {
    return name === otherNames[index] && sameJson(one[name], other[name], depth + 1);
  });
}
