import assert from "node:assert/strict";
import { exportVariable } from "../../cli/hook/session_start.ts";

Deno.test("exportVariable() writes a line that a shell reads as the value", async (t) => {
  const values = ["http://127.0.0.1:1", "", "a b", "it's", "$(id) `id` $HOME", '"\\', "a;b#c"];
  for (const value of values) {
    await t.step(JSON.stringify(value), async () => {
      const path = await Deno.makeTempFile();
      await exportVariable(path, { name: "X", value });
      await exportVariable(path, { name: "X", value });
      const { stdout } = await new Deno.Command("sh", {
        args: ["-c", '. "$1"; printf %s "$X"', "sh", path],
      }).output();
      assert.equal(new TextDecoder().decode(stdout), value);
      await Deno.remove(path);
    });
  }
});

Deno.test("exportVariable() refuses a value of several lines", async () => {
  const path = await Deno.makeTempFile();
  await assert.rejects(exportVariable(path, { name: "X", value: "a\nb" }), RangeError);
  assert.equal(await Deno.readTextFile(path), "");
  await Deno.remove(path);
});
