/** Entries whose names or links are no UTF-8, which only a shell can make. */

import assert from "node:assert/strict";

/** True where the system takes such names. */
export const TAKES_OTHER_BYTES = Deno.build.os === "linux";

/** Runs a script of `sh` in a folder: `$b` is a byte that is no UTF-8, `$c` one surrogate as CESU-8
 * writes it, `$o` a slash in two bytes, `$r` the replacement character, `$h` the home folder. */
export async function shell(
  script: string,
  { cwd, home = "" }: { readonly cwd: string; readonly home?: string },
): Promise<void> {
  const names = "b=$(printf '\\377') c=$(printf '\\355\\240\\200') o=$(printf '\\300\\257') " +
    "r=$(printf '\\357\\277\\275')";
  const { success, stderr } = await new Deno.Command("sh", {
    args: ["-ec", `${names}\n${script}`],
    cwd,
    env: { h: home },
  }).output();
  assert.ok(success, new TextDecoder().decode(stderr));
}
