/** A project with packs of its own. */

import { dirname, join } from "node:path";

/** Writes files below `.onetool/tools/` of a project or a home folder. */
export async function writePacks(
  root: string,
  files: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    const file = join(root, ".onetool", "tools", path);
    await Deno.mkdir(dirname(file), { recursive: true });
    await Deno.writeTextFile(file, text);
  }
}

/** A project and a home folder, gone at the end. */
export async function openFolders(files: {
  readonly project?: Readonly<Record<string, string>>;
  readonly home?: Readonly<Record<string, string>>;
  /** Whether the home folder is given by the name of a link. */
  readonly linksHome?: boolean;
}): Promise<{ readonly project: string; readonly home: string } & AsyncDisposable> {
  const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "toolscript-packs-" }));
  const [project, home] = [join(root, "project"), join(root, "home")];
  await Promise.all([project, home].map((folder) => Deno.mkdir(folder)));
  await writePacks(project, files.project ?? {});
  await writePacks(home, files.home ?? {});
  const link = join(root, "home-link");
  await Deno.symlink(home, link);
  return {
    project,
    home: files.linksHome ? link : home,
    [Symbol.asyncDispose]: () => Deno.remove(root, { recursive: true }),
  };
}
