/** Writes the HTML report to a file of the project, whole or not at all (OT-18, 20). */

import { basename, dirname, extname, join } from "node:path";
import { isInside, refusalOf, RefusedFile, resolvePath } from "#files";
import { PackError } from "#packs";
import type { StatsData } from "../types.ts";

export interface WriteReportOptions {
  /** The folder that the path is relative to, and that it must lie in. */
  readonly folder: string;
  /** The project's name, shown in the report. */
  readonly project: string;
  /** Why a real path may not be changed; a person's own command may change all. */
  readonly refuse?: (path: string) => Promise<string | undefined>;
  /** Writes the file; by default in place of what is there. */
  readonly write?: (path: string, text: string) => Promise<unknown>;
}

export type WriteResult =
  | { readonly kind: "written"; readonly path: string }
  | { readonly kind: "refused"; readonly message: string };

/** Writes the report; what stands in the way is told as OT-20 says it. */
export async function writeReport(
  data: StatsData,
  output: string,
  { folder, project, refuse, write = replaceFile }: WriteReportOptions,
): Promise<WriteResult> {
  try {
    const path = await placeOf(output, folder);
    const why = await refuse?.(path);
    if (why !== undefined) throw new RefusedFile(why);
    const { reportPage } = await import("./report.ts");
    await write(path, await reportPage(data, { project }));
    return { kind: "written", path };
  } catch (error) {
    if (error instanceof PackError) throw error;
    return { kind: "refused", message: `Error: Cannot write to '${output}': ${refusalOf(error)}` };
  }
}

/** Report without head, heading and style, for a page that has its own. */
export async function reportFragment(data: StatsData): Promise<string> {
  const { reportBody } = await import("./report.ts");
  return String(await reportBody(data));
}

/** The path with all links resolved. Throws where it leaves the folder, or is no page. */
async function placeOf(output: string, folder: string): Promise<string> {
  if (output.includes("\0")) throw new RefusedFile("it is no path");
  // An agent may write a report, not over a program or the configuration.
  if (!/^\.html?$/i.test(extname(output))) throw new RefusedFile("its name must end in .html");
  const target = resolvePath(folder, output);
  if (!isInside(folder, target)) throw new RefusedFile("it is outside the project");
  const parent = await Deno.realPath(dirname(target));
  if (!isInside(await Deno.realPath(folder), join(parent, basename(target)))) {
    throw new RefusedFile("it is outside the project");
  }
  const info = await Deno.lstat(target).catch(() => undefined);
  if (info?.isDirectory) throw new RefusedFile("it is a folder");
  return join(parent, basename(target));
}

/** A link in its place is replaced, not followed. */
async function replaceFile(path: string, text: string): Promise<void> {
  const draft = join(dirname(path), `.${basename(path).slice(0, 80)}.${crypto.randomUUID()}`);
  try {
    await Deno.writeTextFile(draft, text, { createNew: true });
    await Deno.rename(draft, path);
  } catch (error) {
    await Deno.remove(draft).catch(() => {}); // It need not be there.
    throw error;
  }
}
