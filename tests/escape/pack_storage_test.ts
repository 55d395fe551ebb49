/** What a pack keeps in `localStorage` and `caches` is its own: neither another pack nor the same
 * pack in another project has it. */

import assert from "node:assert/strict";
import { openPacks, type PackHarness } from "../packs/worker/harness.ts";

const KEEPER = `
export async function keep(text: string): Promise<void> {
  localStorage.setItem("key", text);
  const cache = await caches.open("own");
  await cache.put("http://a.invalid/", new Response(text));
}
export async function kept(): Promise<(string | null)[]> {
  const cache = await caches.open("own");
  const answer = await cache.match("http://a.invalid/");
  return [localStorage.getItem("key"), answer ? await answer.text() : null];
}
/** From a thread of the pack. */
export async function threadKept(): Promise<string | null> {
  const code = "const c = await caches.open('own'); const a = await c.match('http://a.invalid/');" +
    "postMessage(a ? await a.text() : null)";
  const worker = new Worker("data:application/javascript," + encodeURIComponent(code), { type: "module" });
  const { promise, resolve } = Promise.withResolvers<string | null>();
  worker.onmessage = ({ data }) => resolve(data);
  const text = await promise;
  worker.terminate();
  return text;
}
`;
const FILES = { "one/one_tools.ts": KEEPER, "two/two_tools.ts": KEEPER };

/** Deno's folder of one test, shared by all packs, as in a person's home. */
async function withDenoDir(
  work: (open: () => Promise<PackHarness>) => Promise<void>,
): Promise<void> {
  const dir = await Deno.makeTempDir({ prefix: "toolscript-deno-" });
  const environment = { ...Deno.env.toObject(), DENO_DIR: dir };
  try {
    await work(() => openPacks({ project: FILES, environment }));
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}

Deno.test("a pack's storage is neither another pack's nor another project's", () =>
  withDenoDir(async (open) => {
    await using packs = await open();
    await packs.call("one__keep", { text: "of one" });
    assert.deepEqual(await packs.call("one__kept"), ["of one", "of one"]);
    assert.equal(await packs.call("one__threadKept"), "of one");
    assert.deepEqual(await packs.call("two__kept"), [null, null]);
    assert.equal(await packs.call("two__threadKept"), null);
    await packs.call("two__keep", { text: "of two" });
    assert.deepEqual(await packs.call("one__kept"), ["of one", "of one"]);
    await using others = await open();
    assert.deepEqual(await others.call("one__kept"), [null, null]);
    assert.equal(await others.call("one__threadKept"), null);
  }));

const RENAMER = `// /// script
// [permissions]
// read = ["."]
// write = ["."]
// ///
export function rename(from: string, to: string): void {
  Deno.renameSync(from, to);
}
export function write(path: string): void {
  Deno.writeTextFileSync(path, "{}");
}
`;

Deno.test("a pack with write access to the project cannot rename a closed file", async () => {
  await using packs = await openPacks({
    project: { "one/one_tools.ts": RENAMER },
    settings: { one: { permissions: { read: ["."], write: ["."] } } },
  });
  const { project } = packs;
  const refused = { code: "tool_error", message: /NotCapable/ };
  await Deno.writeTextFile(`${project}/.onetool/secrets.yaml`, "KEY: s3cret");
  await packs.call("one__write", { path: `${project}/open.txt` });
  const rename = (from: string, to: string) =>
    packs.call("one__rename", { from: `${project}/${from}`, to: `${project}/${to}` });
  await rename("open.txt", "moved.txt");
  await assert.rejects(rename(".onetool", "seen"), refused);
  await assert.rejects(rename(".onetool/tools", "seen"), refused);
  for (const path of [".onetool/trust.json", ".onetool/pins.json", ".onetool/new.yaml"]) {
    await assert.rejects(packs.call("one__write", { path: `${project}/${path}` }), refused);
  }
});
