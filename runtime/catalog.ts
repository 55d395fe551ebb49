/** Keeps the generated module, the type checker, the names that commands may use and the warm
 * processes in step with the registry. */

import type { PolicyLists, Registry } from "#packs";
import type { Log } from "#sandbox";
import type { Checker } from "./check/types.ts";
import { commandNames, type Vocabulary } from "./command_names.ts";
import type { ProgramReader } from "./program/types.ts";
import type { Emitter } from "./types/types.ts";

/** Changes that come together (a server's tools, one after another) are taken as one. */
const SETTLE_MS = 25;

export interface Catalog extends AsyncDisposable {
  /** The text at `/runtime/<path>`, of the tools as they are now. */
  file(path: string, filter?: readonly string[]): string | undefined;
  /** Takes the tools as they are now: processes that loaded an older module are no longer used. */
  sync(): void;
  /** Resolves when the checker knows the tools as they are now. */
  current(): Promise<void>;
}

export interface CatalogDeps {
  readonly registry: Registry;
  readonly emitter: Emitter;
  readonly checker: Checker;
  readonly reader: ProgramReader;
  /** What commands may name beside the tools. */
  readonly vocabulary: Vocabulary;
  /** What commands may do. */
  readonly lists: PolicyLists;
  /** Called when the module that programs import has changed. */
  readonly onModule: () => void;
  readonly log: Log;
}

/** Follows the registry until it is disposed. */
export function createCatalog(deps: CatalogDeps): Catalog {
  const { registry, emitter, checker, reader, vocabulary, lists, onModule, log } = deps;
  let stale = true;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let declared: Promise<void> = Promise.resolve();

  function refresh(): void {
    if (!stale) return;
    stale = false;
    clearTimeout(timer);
    timer = undefined;
    const before = emitter.version;
    const first = before === 0;
    emitter.update(registry.entries());
    if (emitter.version === before && !first) return;
    declared = declared.then(declare).catch((error) => {
      log("error", "The type checker did not take the tools' types", { error: String(error) });
    });
    onModule();
    reader.learn({ names: commandNames(registry, vocabulary), lists });
  }

  async function declare(): Promise<void> {
    await emitter.prepare();
    await checker.declare(emitter.declarations());
  }

  const unsubscribe = registry.onChange(() => {
    stale = true;
    timer ??= setTimeout(refresh, SETTLE_MS);
  });

  return {
    file(path, filter) {
      refresh();
      return emitter.file(path, filter ? { filter } : {});
    },
    sync: refresh,
    async current() {
      refresh();
      await declared;
    },
    async [Symbol.asyncDispose]() {
      unsubscribe();
      clearTimeout(timer);
      await declared;
    },
  };
}
