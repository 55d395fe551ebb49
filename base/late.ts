/** Modules that are read only when they are needed. */

/** Imports a module of this program. Deno reads the module that a literal `import()` names, and all
 * that it imports, at every start. `file` ends in ".ts" and is relative to `base`, the URL of a module;
 * in the npm package it ends as `base` does. */
export async function importLate<Module>(file: string, base: string): Promise<Module> {
  const path = base.endsWith(".js") ? file.replace(/\.ts$/, ".js") : file;
  return await import(new URL(path, base).href);
}
