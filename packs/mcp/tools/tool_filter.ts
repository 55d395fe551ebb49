/** Filter of a server's tools by the config. */

import picomatch from "picomatch";

/** Options by which a star matches every character, also dots and slashes. */
const OPTIONS = { dot: true, bash: true };

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
  const compile = (pattern: string): (name: string) => boolean => picomatch(pattern, OPTIONS);
  const includes = patterns.include.map(compile);
  const excludes = patterns.exclude.map(compile);
  return (name) =>
    (includes.length === 0 || includes.some((matches) => matches(name))) &&
    !excludes.some((matches) => matches(name));
}
