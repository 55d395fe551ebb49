/** Values without a value, which a project merges over what the home folder says. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { openProject } from "../config/project.ts";

const MAIN = ".onetool/onetool.yaml";
const HOME = {
  "~/.onetool/onetool.yaml": "direct: [db]\n" +
    "security: { blocked: [file.delete], rules: [{ tool: git.*, then: ask }] }\n" +
    "packs:\n" +
    "  file: { write: false, allowed: [notes] }\n" +
    "  web: { enabled: false }\n" +
    "  package: { registries: { npm: https://npm.example.com } }\n" +
    "  pay: { enabled: false, limit: 100, refused: [mallory], deep: { most: 1 } }\n",
};
const UNTRUSTED = { env: { TOOLSCRIPT_TRUST: "" } };
const EMPTY = [
  "{}",
  "{ x: }",
  "{ x: { y: } }",
  "{ x: {} }",
  "{ x: ~, y: null }",
  "[]",
  "[~]",
  '""',
];
const PLACES = [
  ["packs", "file", "write"],
  ["packs", "file", "allowed"],
  ["packs", "file"],
  ["packs", "web", "enabled"],
  ["packs", "package", "registries"],
  ["packs", "package", "registries", "npm"],
  ["packs", "pay", "enabled"],
  ["packs", "pay", "limit"],
  ["packs", "pay", "refused"],
  ["packs", "pay", "deep", "most"],
  ["packs"],
  ["security", "blocked"],
  ["security", "rules"],
  ["security"],
  ["sandbox", "timeout"],
  ["direct"],
] as const;

/** A configuration that has this text at a place. */
function withValue(place: readonly string[], text: string): string {
  return place.toReversed().reduce((inner, key) => `{ ${key}: ${inner} }`, text);
}

Deno.test("empty values of an untrusted project change nothing of the home folder's", async (t) => {
  await using it = await openProject({ ...HOME, [MAIN]: "" });
  const settings = async () => {
    const { packs, security, sandbox, direct } = await it.load(UNTRUSTED);
    return { packs, security, sandbox, direct };
  };
  const own = await settings();
  for (const place of PLACES) {
    await t.step(place.join("."), async () => {
      for (const text of EMPTY) {
        await Deno.writeTextFile(join(it.project, MAIN), withValue(place, text));
        assert.deepEqual(await settings(), own, text);
      }
    });
  }
});

Deno.test("empty values that a yes would let in stand in the list", async (t) => {
  for (const text of [...EMPTY, "~"]) {
    await t.step(text, async () => {
      await using it = await openProject({
        ...HOME,
        [MAIN]: `packs: { pay: { limit: ${text}, deep: { most: ${text} } } }`,
      });
      const { changes } = (await it.load(UNTRUSTED)).trust.items;
      for (const key of ["packs.pay.limit", "packs.pay.deep.most"]) {
        assert.ok(changes.some((line) => line.startsWith(key)), `${key}: ${changes}`);
      }
    });
  }
});
