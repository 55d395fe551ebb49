/** Which of a server's tools the config keeps. */

import picomatch from "picomatch";

/** A star matches every character of a name, also dots and slashes. */
const OPTIONS = { dot: true, bash: true };

/** A test for tool names: some `include` pattern matches (none given: all), no `exclude` does.
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
