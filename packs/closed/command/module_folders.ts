/** Folders of modules, each once with an ending: many commands lead to the same. */

import type { ModuleFolder } from "../write_rules.ts";

export interface ModuleFolders extends Iterable<ModuleFolder> {
  push(one: ModuleFolder): void;
}

export function createModuleFolders(): ModuleFolders {
  const folders = new Map<string, ModuleFolder>();
  return {
    push(one) {
      folders.set(`${one.folder}\0${one.ending}`, one);
    },
    [Symbol.iterator]: () => folders.values(),
  };
}
