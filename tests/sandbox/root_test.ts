/** Folders that killed gateways left. */

import { deepEqual, equal } from "node:assert/strict";
import { join } from "node:path";
import { sweep } from "../../sandbox/process/root.ts";
import { give, ignore } from "../escape/owner.ts";
import { withoutRights } from "../support/rights.ts";

/** Above every process id of Linux. */
const DEAD = 4_194_305;
const isLinux = Deno.build.os === "linux";

async function withFolders(work: (parent: string, folders: string[]) => unknown): Promise<void> {
  const parent = await Deno.makeTempDir({ prefix: "sweep-" });
  const names = Array.from({ length: 20 }, (_, at) => `toolscript-${DEAD}-${at}`);
  try {
    for (const name of names) await Deno.mkdir(join(parent, name));
    await work(parent, names.map((name) => join(parent, name)));
  } finally {
    await Deno.remove(parent, { recursive: true });
  }
}

async function namesIn(parent: string): Promise<string[]> {
  return (await Array.fromAsync(Deno.readDir(parent), ({ name }) => name)).toSorted();
}

Deno.test({
  name: "sweep() leaves folders of other users, of processes that run, and of other names",
  ignore: ignore || !isLinux,
  fn: () =>
    withFolders(async (parent, [theirs = ""]) => {
      give(theirs);
      const others = [`toolscript-${Deno.pid}-a`, "other-1-a"];
      for (const name of others) await Deno.mkdir(join(parent, name));
      await sweep(parent);
      deepEqual(await namesIn(parent), ["other-1-a", `toolscript-${DEAD}-0`, others[0]].toSorted());
    }),
});

Deno.test({
  name: "sweep() goes on after a folder that cannot be removed",
  ignore: !isLinux,
  fn: () =>
    withFolders(async (parent, [closed = ""]) => {
      await Deno.mkdir(join(closed, "folder"));
      await Deno.chmod(closed, 0o500);
      const module = import.meta.resolve("../../sandbox/process/root.ts");
      const code = `import { sweep } from "${module}";\nawait sweep(${JSON.stringify(parent)});`;
      const { stderr } = await withoutRights(code);
      await Deno.chmod(closed, 0o700);
      equal(stderr, "");
      deepEqual(await namesIn(parent), [`toolscript-${DEAD}-0`]);
    }),
});
