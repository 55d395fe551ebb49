/** Generated modules, the same below `/runtime/` and below the path of a run. */

import type { Catalog } from "#runtime";
import { HttpError } from "./problem.ts";

export interface RuntimeFile {
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Reads the file at `path` below `/runtime/`; throws 404 for an unknown path. */
export function runtimeFile(catalog: Catalog, request: Request, path: string): RuntimeFile {
  const filter = new URL(request.url).searchParams.get("filter")?.split(",")
    .map((item) => item.trim()).filter(Boolean);
  const text = catalog.file(path, filter);
  if (text === undefined) {
    throw new HttpError("not_found", `No module "${path}" below /runtime/: import tools.ts`);
  }
  const type = path.endsWith(".js") ? "javascript" : "typescript";
  return {
    text,
    headers: { "content-type": `application/${type}`, "cache-control": "no-store" },
  };
}
