import assert from "node:assert/strict";
import * as p from "../../../../packs/builtin/kit/params.ts";

const PARAMS = {
  text: p.text("A text"),
  file: p.optional(p.text("A file")),
  limit: p.byDefault(p.whole("A number"), 10),
  names: p.texts("Names"),
  value: p.optional(p.anything("Anything")),
};

Deno.test("argsOf() gives a tool the declared arguments, defaults filled in", () => {
  const args = { text: "a", value: { b: 1 }, command: ["-c"], fallback: 1 };
  const want = { text: "a", file: undefined, limit: 10, names: [], value: { b: 1 } };
  assert.deepEqual(p.argsOf(PARAMS, args), want);
});

Deno.test("argsOf() refuses what is of another type than declared", async (t) => {
  const cases = { text: { path: "/etc/shadow" }, limit: 1.5, names: "--output=x", file: ["a"] };
  for (const [name, value] of Object.entries(cases)) {
    await t.step(name, () => {
      const refused = { code: "invalid_arguments", message: new RegExp(`"${name}"`) };
      assert.throws(() => p.argsOf(PARAMS, { text: "a", [name]: value }), refused);
    });
  }
});
