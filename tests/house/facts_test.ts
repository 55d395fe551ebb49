/** Facts that several files name: one of them is the source, the others must agree. */

import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import manifest from "../../deno.json" with { type: "json" };
import { MANIFESTS, withVersion } from "../../release/manifests.ts";
import { walkFiles } from "../support/files.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const SCENARIO = /\b(?:RUN|VAL|TSX|OT|WRK)-\d{2}\b/g;

async function read(path: string): Promise<string> {
  return await Deno.readTextFile(`${ROOT}${path}`);
}

Deno.test("every manifest has the version of deno.json, and a release changes all of them", async () => {
  for (const file of MANIFESTS) {
    const text = await read(file);
    assert.match(text, new RegExp(`"version": "${RegExp.escape(manifest.version)}"`), file);
    const next = withVersion(text, { from: manifest.version, to: "123.4.5" });
    const versions = [...next.matchAll(/"version": "([^"]*)"/g)].map(([, version]) => version);
    assert.deepEqual(new Set(versions), new Set(["123.4.5"]), file);
  }
});

Deno.test("every page names the Deno version of .dvmrc", async () => {
  const version = (await read(".dvmrc")).trim();
  for (const page of ["README.md", "CONTRIBUTING.md", "docs/connect.md"]) {
    const versions = (await read(page)).matchAll(/\bdeno@(\d+\.\d+\.\d+)/gi);
    for (const [, named] of versions) assert.equal(named, version, page);
  }
});

Deno.test("docs/reference/scenarios.md lists the scenarios that tests are named after", async () => {
  const listed = new Set((await read("docs/reference/scenarios.md")).match(SCENARIO));
  const tested = new Set<string>();
  for await (const file of walkFiles(`${ROOT}tests`, ".ts")) {
    for (const id of (await Deno.readTextFile(file)).match(SCENARIO) ?? []) tested.add(id);
  }
  assert.deepEqual([...tested].sort(), [...listed].sort());
});

Deno.test("docs/decisions/README.md lists every record", async () => {
  const index = await read("docs/decisions/README.md");
  for await (const file of walkFiles(`${ROOT}docs/decisions`, ".md")) {
    const name = file.split("/").at(-1) ?? "";
    if (name !== "README.md") assert.ok(index.includes(`(${name})`), name);
  }
});
