/** Keeps the generated module, the type checker, the names that commands may use and the warm
 * processes in step with the registry. */

import type { Log } from "#base";
import {
  camelCase,
  parameterNames,
  parameterSchema,
  type PolicyLists,
  type Project,
  type Registry,
  snakeCase,
  type ToolEntry,
} from "#packs";
import type { Checker } from "./check/types.ts";
import { type CommandNames, type CommandPack, type CommandTool, GATHERS } from "./command/types.ts";
import type { ProgramReader } from "./program/types.ts";
import type { ModuleGenerator } from "./types/module_generator.ts";
import type { KeepsResult } from "./types/tool_texts.ts";

/** Changes that come together (a server's tools, one after another) are taken as one. */
const SETTLE_MS = 25;

export interface Catalog extends AsyncDisposable {
  /** The text at `/runtime/<path>`, of the tools as they are now. */
  file(path: string): string | undefined;
  /** The same with those of the tools that a filter names. */
  filtered(path: string, filter: readonly string[]): Promise<string | undefined>;
  /** Exports of the `toolscript` module as a JavaScript expression. */
  expression(): string;
  /** Takes the tools as they are now: processes that loaded an older module are no longer used. */
  sync(): void;
  /** Replaces the names from the configuration. */
  update(names: CatalogNames): void;
  /** Resolves when the checker knows the tools as they are now; undefined when it does. */
  current(): Promise<void> | undefined;
  /** Takes what was learned of the results of these packs by now. */
  relearn(packs: ReadonlySet<string>): void;
  /** Types for the checker, with results as `any` where they are not kept. */
  declarations(keeps: KeepsResult): ReadonlyMap<string, string>;
  /** Sets the listener for changes of the module that programs import. */
  onModule(listener: () => void): void;
}

/** Names from the configuration, beside the tools. */
export interface CatalogNames {
  readonly aliases: Vocabulary["aliases"];
  readonly snippets: Vocabulary["snippets"];
  readonly projects: readonly Project[];
  /** Policy for commands. */
  readonly lists: PolicyLists;
}

export interface CatalogDeps {
  readonly registry: Registry;
  readonly generator: ModuleGenerator;
  readonly checker: Checker;
  readonly reader: ProgramReader;
  readonly names: CatalogNames;
  readonly log: Log;
}

/** Follows the registry until it is disposed. */
export function createCatalog(deps: CatalogDeps): Catalog {
  const { registry, generator, checker, reader, log } = deps;
  let { names } = deps;
  let onModule = () => {};
  let stale = true;
  let renamed = true;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let declaring: Promise<void> | undefined;

  function refresh(): void {
    if (!stale) return;
    stale = false;
    clearTimeout(timer);
    timer = undefined;
    const before = generator.version;
    const first = before === 0;
    generator.setProjects(names.projects);
    generator.update(registry.entries());
    const changed = generator.version !== before || first;
    if (changed) {
      declare();
      onModule();
    }
    if (changed || renamed) learn();
    renamed = false;
  }

  function learn(): void {
    const { aliases, snippets, projects, lists } = names;
    const vocabulary = { aliases, snippets, projects: projects.map(({ name }) => name) };
    reader.learn({ names: commandNames(registry, vocabulary), lists });
  }

  function declare(): void {
    const turn = declareAfter(declaring).finally(() => {
      if (declaring === turn) declaring = undefined;
    });
    declaring = turn;
  }

  async function declareAfter(earlier: Promise<void> | undefined): Promise<void> {
    await earlier;
    try {
      await generator.prepare();
      await checker.declare(generator.declarations());
    } catch (error) {
      log("error", "The type checker did not take the tools' types", { error: String(error) });
    }
  }

  const unsubscribe = registry.onChange(() => {
    stale = true;
    timer ??= setTimeout(refresh, SETTLE_MS);
  });

  return {
    file(path) {
      refresh();
      return generator.file(path);
    },
    filtered(path, filter) {
      refresh();
      return generator.filtered(path, filter);
    },
    expression() {
      refresh();
      return generator.expression();
    },
    sync: refresh,
    update(next) {
      names = next;
      renamed = true;
      stale = true;
      refresh();
    },
    current() {
      refresh();
      return declaring;
    },
    relearn(packs) {
      generator.relearn(packs);
      declare();
    },
    declarations: (keeps) => generator.declarations(keeps),
    onModule(listener) {
      onModule = listener;
    },
    async [Symbol.asyncDispose]() {
      unsubscribe();
      clearTimeout(timer);
      await declaring;
    },
  };
}

/** Names that commands may use, beside the tools. */
export type Vocabulary = Pick<CommandNames, "aliases" | "snippets" | "projects">;

/** Lists every name as plain data. A pack that is still connecting has no tools. */
export function commandNames(registry: Registry, vocabulary: Vocabulary): CommandNames {
  const entries = Map.groupBy(registry.entries(), ({ pack }) => pack);
  const packs = registry.packs().map((pack): CommandPack => {
    const { name } = pack;
    const own = entries.get(name) ?? [];
    const key = own[0]?.packKey ?? camelCase(name, "pack");
    const isOff = pack.source === "local" && pack.status().state === "disabled";
    const problem = isOff ? pack.problem?.() ?? undefined : undefined;
    return {
      name,
      key,
      snake: own[0] ? own[0].packSnake : snakeCase(name),
      tools: own.map(commandTool),
      ...(problem ? { problem } : {}),
    };
  });
  return { packs, ...vocabulary };
}

function commandTool({ tool, toolKey, snakeKey, spec, effect }: ToolEntry): CommandTool {
  const params = parameterNames(spec.inputSchema);
  const gathers = parameterSchema(spec.inputSchema, params[0] ?? "")[GATHERS] === true;
  const reads = effect === "read";
  return {
    name: tool,
    key: toolKey,
    snake: snakeKey,
    params,
    ...(gathers ? { gathers } : {}),
    ...(reads ? { reads } : {}),
  };
}
