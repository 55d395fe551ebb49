/** Which names modules beside a program may have. */

/** What a command is called in errors and stacks. */
export const COMMAND_FILE = "command.ts";

/** Whether a text names a `.ts` file below the script's folder: relative, without `..`, and
 * nothing in it that an address would read differently. */
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

/** The first key of `files` that is not a relative `.ts` path below the script's folder. */
export function wrongKey(files: Readonly<Record<string, string>>): string | undefined {
  return Object.keys(files).find((path) => !isModulePath(path));
}
