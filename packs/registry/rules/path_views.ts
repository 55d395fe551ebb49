/** Paths in arguments, in each spelling that a rule may be about. */

import { isAbsolute, relative, resolve, sep } from "node:path";
import { isInside, realPathOf } from "#files";
import type { Args, ToolEntry } from "../../types.ts";

/** Limits of a path that is looked up; packs refuse longer ones. */
const MOST_CHARACTERS = 4_096;
const MOST_NAMES = 256;

/** Arguments as rules see them: as they were passed and, where a tool of Toolscript's own takes paths,
 * with these relative to the project, as they are written and behind links. The strictest decision
 * counts: neither `src/../a`, nor a link, leads around a rule. */
export function viewsOf({ spec }: ToolEntry, args: Args, project: string): readonly Args[] {
  const names = spec?.paths?.filter((name) => isShort(args[name])) ?? [];
  if (names.length === 0) return [args];
  const real = realPathOf(project);
  const forms: readonly ((path: string) => string)[] = [
    (path) => labelOf(resolve(project, path), project),
    (path) => labelOf(realPathOf(resolve(project, path)), real),
  ];
  const others = forms.map((form): Args => ({
    ...args,
    ...Object.fromEntries(names.map((name) => [name, form(String(args[name]))])),
  }));
  const views = [args, ...others];
  const spellings = views.map((view) => JSON.stringify(names.map((name) => view[name])));
  return views.filter((_, at) => spellings.indexOf(spellings[at] ?? "") === at);
}

function isShort(value: unknown): boolean {
  return typeof value === "string" && value.length <= MOST_CHARACTERS &&
    value.split(sep).length <= MOST_NAMES && !value.includes("\0");
}

function labelOf(path: string, base: string): string {
  if (path === base) return ".";
  return isAbsolute(path) && isInside(base, path) ? relative(base, path) : path;
}
