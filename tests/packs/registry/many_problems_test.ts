import assert from "node:assert/strict";
import { argumentCheck } from "../../../packs/registry/validate.ts";

Deno.test("many unknown arguments are not all put into words", () => {
  const properties = Object.fromEntries(["path", "text", "overwrite"].map((name) => [name, {}]));
  const check = argumentCheck({ type: "object", properties, additionalProperties: false });
  const args = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`pathh${at}`, 1]));
  let reads = 0;
  const counted = new Proxy(properties, {
    ownKeys(target) {
      reads++;
      return Reflect.ownKeys(target);
    },
  });
  const counting = argumentCheck({
    type: "object",
    properties: counted,
    additionalProperties: false,
  });
  reads = 0;
  const problems = counting(args);
  assert.equal(problems.length, 10);
  assert.match(problems[0]?.message ?? "", /argument "pathh0" is not known, did you mean "path"\?/);
  assert.ok(reads < 1_000, `${reads} looks at the parameters`);
  assert.deepEqual(problems, check(args));
});
