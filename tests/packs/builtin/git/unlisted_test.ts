/** Folders of a repository that can be entered, and not listed. */

import { equal, match } from "node:assert/strict";
import { fileURLToPath } from "node:url";

const CONFIG = fileURLToPath(new URL("../../../../deno.json", import.meta.url));

Deno.test({
  name: "a folder of git that cannot be listed is refused: git reads what it has the name of",
  ignore: Deno.build.os === "windows",
  async fn() {
    const folder = await Deno.makeTempDir();
    await Deno.writeTextFile(`${folder}/m`, "");
    const links = import.meta.resolve("../../../../packs/builtin/git/links.ts");
    const code = `import { entriesOf } from "${links}";
      const names = await Array.fromAsync(entriesOf(${JSON.stringify(folder)}), ({ name }) => name)
        .catch(({ message }) => [message]);
      await Deno.stdout.write(new TextEncoder().encode(names.join()));`;
    // Root may list any folder, unless it starts without the right to.
    const rights = "--bounding-set=-dac_override,-dac_read_search";
    const lead = Deno.uid() === 0 ? ["setpriv", rights] : [];
    const words = [...lead, Deno.execPath(), "eval", "--no-check", `--config=${CONFIG}`, code];
    const [program = "", ...args] = words;
    const output = async () => {
      return new TextDecoder().decode((await new Deno.Command(program, { args }).output()).stdout);
    };
    try {
      equal(await output(), "m");
      await Deno.chmod(folder, 0o311);
      match(await output(), /the folder ".*" cannot be listed: chmod u\+r/);
    } finally {
      await Deno.chmod(folder, 0o700);
      await Deno.remove(folder, { recursive: true });
    }
  },
});
