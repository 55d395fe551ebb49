/** Paths in arguments, in each spelling that a rule may be about. */

import { basename, dirname, join, relative, sep } from "node:path";
import { isInside, resolvePath } from "#files";
import { sqlitePath } from "../../builtin/db/settings.ts";
import { isTooLong, MOST_WRITTEN } from "../../builtin/kit/folders.ts";
import type { Args, PathForm, ToolEntry } from "../../types.ts";

/** Arguments as rules see them: as they were passed and, where a tool of Toolscript's own takes paths,
 * with these relative to their folder: as they are written, behind links of folders, as for an entry
 * that is deleted, and behind all links. The strictest decision counts: neither `src/../a`, nor a link,
 * leads around a rule. */
export async function viewsOf(
  { spec }: ToolEntry,
  args: Args,
  project: string,
): Promise<readonly Args[]> {
  const named = Object.entries(spec?.paths ?? {}).filter(([name]) =>
    typeof args[name] === "string"
  );
  if (named.length === 0) return [args];
  const spelled = await Promise.all(named.map(async ([name, form]) => {
    const { text, base, prefix } = partsOf(form, String(args[name]), { args, project });
    // Packs refuse a text over the limit: it counts as it is written.
    const isPath = text !== undefined && text.length <= MOST_WRITTEN;
    const spellings = isPath ? await spellingsOf(resolvePath(base, text), base) : [];
    return [
      name,
      new Set([args[name] ?? null, ...spellings.map((path) => prefix + path)]),
    ] as const;
  }));
  // A rule may name one path as it is, and another one behind a link.
  return spelled.reduce((views: readonly Args[], [name, spellings]) => {
    return views.flatMap((view) => [...spellings].map((path) => ({ ...view, [name]: path })));
  }, [args]);
}

/** A path in an argument, its base, and what stands before it; no path where the argument has none. */
function partsOf(
  form: PathForm,
  text: string,
  { args: { repo }, project }: { readonly args: Args; readonly project: string },
): { readonly text: string | undefined; readonly base: string; readonly prefix: string } {
  if (form === "sqlite") return { text: sqlitePath(text), base: project, prefix: "sqlite:" };
  const isIn = form === "repository" && typeof repo === "string" && repo.length <= MOST_WRITTEN;
  return { text, base: isIn ? resolvePath(project, repo) : project, prefix: "" };
}

/** A path as it is, as an entry behind links, and behind all links; outside of the base in both ways. */
async function spellingsOf(path: string, base: string): Promise<readonly string[]> {
  const written = labelsOf(path, base);
  // Packs refuse it.
  if (isTooLong(path) || path.includes("\0")) return written;
  const [folder, whole, real] = await Promise.all([
    realOf(dirname(path)),
    realOf(path),
    realOf(base),
  ]);
  return [...written, ...labelsOf(join(folder, basename(path)), real), ...labelsOf(whole, real)];
}

function labelsOf(path: string, base: string): readonly [string, string] {
  const inside = relative(base, path) || ".";
  return [inside === "." || isInside(base, path) ? inside : path, inside];
}

/** Real path of the part that is there, with the rest behind it. */
async function realOf(path: string): Promise<string> {
  const names = path.split(sep);
  let [least, most, next] = [1, names.length, names.length];
  let real: string = sep;
  while (least < most) {
    const reached = await Deno.realPath(names.slice(0, next).join(sep)).catch(() => undefined);
    if (reached === undefined) most = next - 1;
    else [least, real] = [next, reached];
    next = Math.ceil((least + most) / 2);
  }
  return join(real, ...names.slice(least));
}
