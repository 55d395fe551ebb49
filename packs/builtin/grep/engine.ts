/** Chooses the search: ripgrep if it is installed and has the same meaning, otherwise a worker. */

import type { Caller, Folders } from "../kit/mod.ts";
import { PackError } from "../../errors.ts";
import {
  type ContentMatches,
  type ContentRequest,
  type NameMatches,
  SEARCH_ADVICE,
  type Searcher,
} from "../search/mod.ts";
import { areCheap } from "../search/globs.ts";
import type { PatternArgs, WhereArgs } from "./params.ts";
import { forRipgrep, readPattern } from "./pattern.ts";
import type { GrepSettings } from "./settings.ts";

type ContentArgs = WhereArgs & PatternArgs & { readonly context?: number };
type NamesArgs = WhereArgs & { readonly kind: "file" | "folder" | "any" };

export interface ContentOptions extends Caller {
  readonly want: ContentRequest["want"];
}

export interface Engine {
  content(args: ContentArgs, options: ContentOptions): Promise<ContentMatches>;
  names(args: NamesArgs, caller: Caller): Promise<NameMatches>;
}

export interface EngineOptions {
  readonly settings: GrepSettings;
  readonly searcher: Searcher;
  readonly folders: Folders;
  /** Path of ripgrep, or undefined. */
  readonly ripgrep: () => string | undefined;
}

/** Makes the engine. */
export function createEngine({ settings, searcher, folders, ripgrep }: EngineOptions): Engine {
  async function place({ path, glob, hidden, ignored }: WhereArgs) {
    const { path: root } = await folders.existing(path, "search");
    const base = await folders.base();
    const closed = await folders.readRules();
    return { root, base, globs: glob, hidden, ignore: !ignored, closed };
  }

  async function byRipgrep(request: ContentRequest, caller: Caller) {
    const { signal } = caller;
    const pattern = forRipgrep(request.pattern);
    const program = pattern === undefined ? undefined : ripgrep();
    if (pattern === undefined || program === undefined) return undefined;
    // The worker searches a single file, because ripgrep would treat a named binary file as text.
    if ((await Deno.stat(request.root)).isFile) return undefined;
    if (!areCheap(request.globs)) return undefined;
    const isIgnored = request.ignore && await searcher.isIgnored(request.root, caller);
    const { searchByRipgrep } = await import("./ripgrep.ts");
    const limit = AbortSignal.any([signal, AbortSignal.timeout(settings.timeoutMs)]);
    try {
      return await searchByRipgrep(request, { program, pattern, signal: limit, isIgnored });
    } catch (error) {
      if (limit.aborted && !signal.aborted) throw tooSlow(settings.timeoutMs);
      throw error;
    }
  }

  return {
    async content(args, { want, signal, run }) {
      const { context = 0, limit } = args;
      const { maxFileBytes } = settings;
      const pattern = readPattern(args);
      const request = { ...await place(args), pattern, want, context, limit, maxFileBytes };
      const caller = { signal, run };
      return await byRipgrep(request, caller) ?? await searcher.content(request, caller);
    },
    async names(args, caller) {
      const { kind, limit } = args;
      const request = { ...await place(args), of: kind, depth: Infinity, limit };
      return await searcher.names(request, caller);
    },
  };
}

function tooSlow(timeoutMs: number): PackError {
  const limit = `it took longer than ${timeoutMs / 1_000} s`;
  return new PackError("timeout", `Cannot search: ${limit}: ${SEARCH_ADVICE}`);
}
