/** The npm package and the bundle, built once for the tests of this folder. */

import assert from "node:assert/strict";
import { join } from "node:path";

const ROOT = new URL("../../", import.meta.url);
let building: Promise<string> | undefined;

/** Path of the npm package (`.tgz`) or of the bundle (`.mcpb`); the file stays until the tests end. */
export async function built(ending: ".tgz" | ".mcpb"): Promise<string> {
  const folder = await (building ??= build());
  const file = [...Deno.readDirSync(folder)].find(({ name }) => name.endsWith(ending));
  return join(folder, file?.name ?? "");
}

async function build(): Promise<string> {
  const folder = await Deno.makeTempDir({ prefix: "toolscript-built-" });
  addEventListener("unload", () => Deno.removeSync(folder, { recursive: true }));
  const args = ["run", "-A", "--quiet", "release/package.ts", folder, "--bundle"];
  const { success, stderr } = await new Deno.Command(Deno.execPath(), { args, cwd: ROOT }).output();
  assert.ok(success, new TextDecoder().decode(stderr));
  return folder;
}
