/** Interface of the type generator: the module that programs import, and its types. */

import type { Project, ToolEntry } from "#packs";

export interface Emitter {
  /** Takes the registry's tools, in order; a changed pack is generated again when it is next
   * read. */
  update(entries: readonly ToolEntry[]): void;
  /** Takes the configured projects in place of those before. */
  setProjects(projects: readonly Project[]): void;
  /** Grows by one with every update that changed something. */
  readonly version: number;
  /** The text at `/runtime/<path>` (`tools.ts`, and what it imports, relatively), or undefined.
   * `filter` holds servers, `server__tool` names or globs of either; it narrows `tools.ts` and the
   * packs' own files. `tools.js` is what `tools.ts` is to a sandbox process: JavaScript without
   * imports. */
  file(path: string, options?: { readonly filter?: readonly string[] }): string | undefined;
  /** Exports of `tools.js`, as an expression that needs no scope. */
  expression(): string;
  /** Every file below `/runtime/` with its types, for the type checker. */
  declarations(): ReadonlyMap<string, string>;
  /** Generates ahead what `declarations` will ask for, a few milliseconds at a time. */
  prepare(): Promise<void>;
}
