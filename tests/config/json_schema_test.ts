import assert from "node:assert/strict";
import { Validator } from "@cfworker/json-schema";
import { load } from "js-yaml";
import { configJsonSchema } from "#config";

const PUBLISHED = new URL("../../docs/onetool.schema.json", import.meta.url);

Deno.test("configJsonSchema() equals the schema published in docs/", async () => {
  assert.deepEqual(JSON.parse(await Deno.readTextFile(PUBLISHED)), configJsonSchema());
});

Deno.test("configJsonSchema() agrees with the check", () => {
  const validator = new Validator(JSON.parse(JSON.stringify(configJsonSchema())), "2020-12");
  const isValid = (yaml: string) => validator.validate(load(yaml)).valid;
  assert.ok(isValid('servers: { a: { command: x, args: [1], timeout: "${T}" } }\nsandbox:\n'));
  assert.ok(isValid("sandbox: { pool: auto, timeout: 0.5 }"));
  assert.ok(!isValid("sandbox: { pool: many }"));
  assert.ok(!isValid('servers: { "a b": { command: x } }'));
  assert.ok(!isValid("security: { ask: x }"));
});
