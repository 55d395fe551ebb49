/** Files that are written where others may have put something. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { writeWhole } from "#files";

/** Windows has no modes. */
const ignore = Deno.build.os === "windows";

function modeOf(path: string): number {
  return (Deno.lstatSync(path).mode ?? 0) & 0o7777;
}

Deno.test({
  name: "writeWhole() keeps the mode of the file that it replaces",
  ignore,
  fn() {
    const root = Deno.realPathSync(Deno.makeTempDirSync());
    try {
      const path = join(root, "a");
      const write = (text: string, mode?: number) => writeWhole(path, text, { root, mode });
      write("new");
      assert.equal(modeOf(path), 0o666 & ~Deno.umask());
      for (const mode of [0o600, 0o400, 0o640, 0o755, 0o666]) {
        Deno.chmodSync(path, mode);
        write(`of ${mode}`);
        assert.equal(Deno.readTextFileSync(path), `of ${mode}`);
        assert.equal(modeOf(path), mode);
      }
      Deno.chmodSync(path, 0o4755);
      write("no program");
      assert.equal(modeOf(path), 0o755);
      write("private", 0o600);
      assert.equal(modeOf(path), 0o600);
      assert.deepEqual([...Deno.readDirSync(root)].map(({ name }) => name), ["a"]);
    } finally {
      Deno.removeSync(root, { recursive: true });
    }
  },
});
