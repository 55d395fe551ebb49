/** Filter of a server's tools by the config. */

import { compileNamePattern, expandBraces, type NamePattern } from "../../registry/name_pattern.ts";

/** Makes a test for tool names: an `include` pattern matches, or the list is empty; no `exclude` does.
 *
 * @example
 * ```ts ignore
 * const keeps = createToolFilter({ include: ["search*"], exclude: ["*_admin"] });
 * keeps("search_code"); // true
 * ```
 */
export function createToolFilter(
  patterns: { readonly include: readonly string[]; readonly exclude: readonly string[] },
): (name: string) => boolean {
  const includes = patterns.include.map((pattern) => compile(pattern, false));
  const excludes = patterns.exclude.map((pattern) => compile(pattern, true));
  return (name) =>
    (includes.length === 0 || includes.some((matches) => matches(name))) &&
    !excludes.some((matches) => matches(name));
}

/** Compiles a pattern; one with too many alternatives matches as `otherwise` says. */
function compile(pattern: string, otherwise: boolean): NamePattern {
  const all = expandBraces(pattern)?.map(compileNamePattern);
  return (name) => all?.some((matches) => matches(name)) ?? otherwise;
}
