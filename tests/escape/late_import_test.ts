/** A pack whose process runs takes in no file that changes below the trusted folder. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { dump } from "js-yaml";
import { send } from "../support/commands.ts";
import { openGateway } from "../support/gateway.ts";
import { openPlace, UNTRUSTED } from "./trust_place.ts";

const PACK = `/** Tells its process. */
export function id(): number { return Deno.pid; }
/** Imports when needed. */
export async function later(path: string): Promise<string> { return (await import(path)).go(); }
/** Runs on. */
export async function wait(): Promise<void> { await new Promise((done) => setTimeout(done, 600_000)); }
`;
const HELPER = `export function go(): string { return "trusted"; }\n`;
const TOOLS = ".onetool/tools";

/** Files that a watch of the pack's sources does not cover. */
const HELPERS = {
  "a folder beside the pack": `${TOOLS}/common/helper.ts`,
  "a deep folder": `${TOOLS}/calc/a/b/c/d/e/helper.ts`,
  "node_modules": `${TOOLS}/calc/node_modules/helper.ts`,
  "a dot folder": `${TOOLS}/calc/.lib/helper.ts`,
  "a folder behind a link": "src/a/helper.ts",
};

Deno.test("a running pack is ended when a file of the trusted folder changes", async (t) => {
  const files = Object.fromEntries(Object.values(HELPERS).map((file) => [file, HELPER]));
  await using place = await openPlace({ ...files, [`${TOOLS}/calc/calc_tools.ts`]: PACK });
  const { home, project } = place;
  await Deno.symlink("../../../src", join(project, TOOLS, "calc/lib"));
  await place.write(".onetool/onetool.yaml", dump({}));
  assert.equal((await place.cli(["trust", "--yes"])).code, 0);
  await using gateway = await openGateway({}, { home, project, env: UNTRUSTED });
  const id = () => send(gateway, "calc.id()");
  for (const [name, file] of Object.entries(HELPERS)) {
    await t.step(name, async () => {
      const { value: pid, text } = await id();
      assert.equal(typeof pid, "number", text);
      const waiting = send(gateway, "calc.wait()");
      await place.write(file, HELPER.replace("trusted", "HOSTILE"));
      const { error } = await repeat(id, ({ ok }) => !ok);
      assert.deepEqual([error?.code, error?.details.reason], ["unavailable", "untrusted"]);
      assert.equal((await waiting).ok, false);
      await place.write(file, HELPER);
      await send(gateway, "ot.reload()");
      assert.notEqual((await repeat(id, ({ ok }) => ok)).value, pid);
    });
  }
  await t.step("a file that is trusted is imported", async () => {
    assert.equal((await send(gateway, 'calc.later("./lib/a/helper.ts")')).value, "trusted");
  });
});

/** A look counts for two seconds. */
async function repeat<T>(run: () => Promise<T>, isDone: (reply: T) => boolean): Promise<T> {
  for (let tries = 0; tries < 1_200; tries++) {
    const reply = await run();
    if (isDone(reply)) return reply;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("The change of the file was not noticed");
}
