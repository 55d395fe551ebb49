/** Folders of a repository that can be entered, and not listed. */

import { equal, match } from "node:assert/strict";
import { HAS_RIGHTS, withoutRights } from "../../../support/rights.ts";

Deno.test({
  name: "a folder of git that cannot be listed is refused: git reads what it has the name of",
  ignore: !HAS_RIGHTS,
  async fn() {
    const folder = await Deno.makeTempDir();
    await Deno.writeTextFile(`${folder}/m`, "");
    const links = import.meta.resolve("../../../../packs/builtin/git/links.ts");
    const code = `import { entriesOf } from "${links}";
      const names = await Array.fromAsync(entriesOf(${JSON.stringify(folder)}), ({ name }) => name)
        .catch(({ message }) => [message]);
      await Deno.stdout.write(new TextEncoder().encode(names.join()));`;
    try {
      equal((await withoutRights(code)).stdout, "m");
      await Deno.chmod(folder, 0o311);
      match((await withoutRights(code)).stdout, /the folder ".*" cannot be listed: chmod u\+r/);
    } finally {
      await Deno.chmod(folder, 0o700);
      await Deno.remove(folder, { recursive: true });
    }
  },
});
