/** Programs of the system by their name, without trust in anybody's `PATH`. */

const FOLDERS = ["/usr/bin", "/bin", "/usr/local/bin", "/run/current-system/sw/bin"];

/** The path of a system program, or undefined where the system has none of that name. */
export function findProgram(name: string): string | undefined {
  return FOLDERS.map((folder) => `${folder}/${name}`).find(isFile);
}

function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    // Not there.
    return false;
  }
}
