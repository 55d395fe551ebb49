/** Table of commands with the code that they become. */

import { strictEqual } from "node:assert/strict";
import { rewritten, squeezed } from "../read.ts";

export type Rows = Readonly<Record<string, readonly [command: string, expected: string]>>;

export async function table(t: Deno.TestContext, rows: Rows): Promise<void> {
  for (const [name, [command, expected]] of Object.entries(rows)) {
    await t.step(name, () => strictEqual(rewritten(command), squeezed(expected)));
  }
}
