/** `packs.file.writable`: globs of closed files that programs may change. */

import { dirname, isAbsolute, relative } from "node:path";
import picomatch from "picomatch";

export interface PatternPlaces {
  /** Real paths. */
  readonly project: string;
  readonly home: string;
}

/** Tells whether a pattern opens a path: it matches the path or a folder above it. */
export function openedBy(
  patterns: readonly string[],
  places: PatternPlaces,
): (path: string) => boolean {
  const openers = patterns.map((pattern) => one(pattern, places));
  return (path) => openers.some((opens) => opens(path));
}

function one(pattern: string, { project, home }: PatternPlaces): (path: string) => boolean {
  let folder = project;
  let rest = pattern;
  if (pattern.startsWith("~/")) [folder, rest] = [home, pattern.slice(2)];
  else if (isAbsolute(pattern)) [folder, rest] = ["/", pattern.slice(1)];
  for (let way = /^(\.\.?)\/+/.exec(rest); way; way = /^(\.\.?)\/+/.exec(rest)) {
    if (way[1] === "..") folder = dirname(folder);
    rest = rest.slice(way[0].length);
  }
  const matches = picomatch(rest.replace(/\/+$/, ""), { dot: true, nonegate: true });
  return (path) => {
    const way = relative(folder, path);
    if (way === "" || way === ".." || way.startsWith("../")) return false;
    const parts = way.split("/");
    return parts.some((_, at) => matches(parts.slice(0, at + 1).join("/")));
  };
}
