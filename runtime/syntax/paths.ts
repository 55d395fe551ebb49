/** Rules for the paths of modules beside a program. */

/** File name of a command in errors and stacks. */
export const COMMAND_FILE = "command.ts";

/** Tells whether a text is the path of a `.ts` file below the script's folder: relative, without
 * `..`, and without characters that a URL would change. */
export function isModulePath(path: string): boolean {
  // deno-lint-ignore no-control-regex
  if (path.length > 1024 || !path.endsWith(".ts") || /[\\?#%:\x00-\x1f\x7f]/.test(path)) {
    return false;
  }
  return path.isWellFormed() &&
    path.split("/").every((segment) =>
      segment !== "" && !segment.startsWith(".") && segment.trim() === segment
    );
}

/** First key of `files` that is not a relative `.ts` path below the script's folder. */
export function wrongKey(files: Readonly<Record<string, string>>): string | undefined {
  return Object.keys(files).find((path) => !isModulePath(path));
}
