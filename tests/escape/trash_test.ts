/** Another user who may write in a project puts a link in the place of the trash's folder. */

import { deepEqual, equal } from "node:assert/strict";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { createTrash } from "../../packs/builtin/file/trash.ts";

const OLD = "2020-01-01T00-00-00.000Z-0";

async function withProject(work: (project: string, victim: string) => Promise<void>) {
  const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "toolscript-trash-" }));
  const [project, victim] = [join(root, "project"), join(root, "victim")];
  try {
    await Deno.mkdir(join(project, ".onetool", "trash"), { recursive: true, mode: 0o700 });
    await work(project, victim);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

const trashOf = (project: string) => createTrash({ project, days: 7, now: Date.now });
const names = (folder: string) => [...Deno.readDirSync(folder)].map(({ name }) => name).sort();

function makeEntry(trash: string, name: string): void {
  Deno.mkdirSync(join(trash, name), { recursive: true });
  Deno.writeTextFileSync(join(trash, name, "a.txt"), "a");
}

Deno.test("the trash removes what it made itself, and nothing else", async () => {
  await withProject(async (project) => {
    const trash = join(project, ".onetool", "trash");
    const others = ["2019", "2023-05-01", "photos 2018", "report-2020", `${OLD}-0`, `a${OLD}`];
    for (const name of [...others, OLD]) makeEntry(trash, name);
    const kept = await trashOf(project).keep(new Uint8Array(3), {
      path: join(project, "a.txt"),
      label: "a.txt",
    });
    equal((await Deno.stat(join(project, kept))).size, 3);
    const made = kept.split(/[/\\]/)[2] ?? "";
    deepEqual(names(trash), [".gitignore", made, ...others].sort());
  });
});

Deno.test({
  name: "an entry that the system does not let go keeps no change from being made",
  ignore: Deno.build.os !== "linux",
  fn: () =>
    withProject(async (project) => {
      const old = join(project, ".onetool", "trash", OLD);
      makeEntry(join(project, ".onetool", "trash"), OLD);
      // Root removes from any folder, but none where something is mounted.
      const mount = new Deno.Command("mount", {
        args: ["-t", "tmpfs", "none", old],
        stderr: "null",
      });
      const isMounted = (await mount.output()).success;
      if (!isMounted) await Deno.chmod(old, 0o555);
      const place = { path: join(project, "a.txt"), label: "a.txt" };
      try {
        const kept = await trashOf(project).keep(new Uint8Array(3), place);
        equal((await Deno.stat(join(project, kept))).size, 3);
      } finally {
        if (isMounted) await new Deno.Command("umount", { args: [old] }).output();
        else await Deno.chmod(old, 0o755);
      }
    }),
});

Deno.test({
  name: "the trash removes and writes nothing through a link that comes after the check",
  ignore: Deno.build.os === "windows",
  async fn() {
    for (const swapped of [".onetool", ".onetool/trash"]) {
      for (let turns = 0; turns < 30; turns++) {
        await withProject((project, victim) => keepPastLink(project, { victim, swapped, turns }));
      }
    }
  },
});

interface Swap {
  readonly victim: string;
  readonly swapped: string;
  readonly turns: number;
}

/** Keeps a file while a link to the victim's folder takes the place of the trash, after so many turns of
 * the event loop. */
async function keepPastLink(project: string, { victim, swapped, turns }: Swap): Promise<void> {
  const trash = swapped === ".onetool" ? join(victim, "trash") : victim;
  makeEntry(trash, OLD);
  Deno.symlinkSync(victim, join(project, "link"));
  const place = { path: join(project, "a.txt"), label: "a.txt" };
  const kept = trashOf(project).keep(new Uint8Array(3), place);
  for (let turn = 0; turn < turns; turn++) await setImmediate();
  Deno.renameSync(join(project, swapped), join(project, "old"));
  Deno.renameSync(join(project, "link"), join(project, swapped));
  await kept.catch(() => {}); // it came before the check, or before the folder was open
  deepEqual(names(trash), [OLD]);
}
