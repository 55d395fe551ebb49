/** Paths in arguments, in each spelling that a rule may be about. */

import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { isInside, realPathOf } from "#files";
import { sqlitePath } from "../../builtin/db/settings.ts";
import type { Args, PathForm, ToolEntry } from "../../types.ts";

/** Limits of a path whose links are followed; packs refuse longer ones. */
const MOST_CHARACTERS = 4_096;
const MOST_NAMES = 256;

/** Arguments as rules see them: as they were passed and, where a tool of Toolscript's own takes paths,
 * with these relative to their folder: as they are written, behind links of folders, as for an entry
 * that is deleted, and behind all links. The strictest decision counts: neither `src/../a`, nor a link,
 * leads around a rule. */
export function viewsOf({ spec }: ToolEntry, args: Args, project: string): readonly Args[] {
  const named = Object.entries(spec?.paths ?? {}).filter(([name]) =>
    typeof args[name] === "string"
  );
  if (named.length === 0) return [args];
  const written = (path: string, base: string) => labelOf(resolve(base, path), base);
  const behind = (follow: (path: string) => string) => (path: string, base: string) => {
    const whole = resolve(base, path);
    return isBounded(whole) ? labelOf(follow(whole), realPathOf(base)) : written(path, base);
  };
  const entryOf = (path: string) => join(realPathOf(dirname(path)), basename(path));
  const others = [written, behind(entryOf), behind(realPathOf)].map((place): Args => {
    const spelled = named.map(([name, form]) => {
      const text = String(args[name]);
      return [name, PLACES[form](text, { args, project, place })] as const;
    });
    return { ...args, ...Object.fromEntries(spelled) };
  });
  const views = [args, ...others];
  const spellings = views.map((view) => JSON.stringify(named.map(([name]) => view[name])));
  return views.filter((_, at) => spellings.indexOf(spellings[at] ?? "") === at);
}

interface Spelling {
  readonly args: Args;
  readonly project: string;
  readonly place: (path: string, base: string) => string;
}

const PLACES: Readonly<Record<PathForm, (text: string, spelling: Spelling) => string>> = {
  project: (text, { project, place }) => place(text, project),
  repository(text, { args: { repo }, project }) {
    const base = resolve(project, typeof repo === "string" ? repo : ".");
    return labelOf(resolve(base, text), base);
  },
  sqlite(text, { project, place }) {
    const path = sqlitePath(text);
    return path === undefined ? text : `sqlite:${place(path, project)}`;
  },
};

function isBounded(path: string): boolean {
  return path.length <= MOST_CHARACTERS && path.split(sep).length <= MOST_NAMES &&
    !path.includes("\0");
}

function labelOf(path: string, base: string): string {
  if (path === base) return ".";
  return isInside(base, path) ? relative(base, path) : path;
}
