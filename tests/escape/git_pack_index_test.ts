/** An index of packs that names one of another repository. */

import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { commitFirst, ignore, withStage } from "../packs/builtin/git/stage.ts";

const MADE_UP = "11".repeat(20);

/** Index of one pack with one object, which begins at `offset`. */
function indexOf(pack: string, offset: number): Uint8Array {
  const names = Buffer.alloc(Math.ceil((pack.length + 1) / 4) * 4);
  names.write(pack);
  const counts = Buffer.alloc(1_024);
  for (let first = 0x11; first < 256; first++) counts.writeUInt32BE(1, 4 * first);
  const place = Buffer.alloc(8);
  place.writeUInt32BE(offset, 4);
  const chunks = { PNAM: names, OIDF: counts, OIDL: Buffer.from(MADE_UP, "hex"), OOFF: place };
  const all = Object.entries(chunks);
  const head = Buffer.from([...Buffer.from("MIDX"), 1, 1, all.length, 0, 0, 0, 0, 1]);
  const table = Buffer.alloc(12 * (all.length + 1));
  let at = head.length + table.length;
  for (const [index, [id, bytes]] of [...all, ["", Buffer.alloc(0)] as const].entries()) {
    table.write(id, 12 * index);
    table.writeUInt32BE(at, 12 * index + 8);
    at += bytes.length;
  }
  const body = Buffer.concat([head, table, ...Object.values(chunks)]);
  return Buffer.concat([body, createHash("sha1").update(body).digest()]);
}

Deno.test({
  name: "git shows no object of a pack elsewhere that an index of packs names",
  ignore,
  fn: () =>
    withStage(async (stage) => {
      const { home, project, git, put, call } = stage;
      await commitFirst(stage);
      await put("../private/key", "SECRET of another repository\n");
      const there = ["-C", join(home, "private")];
      await git(...there, "init", "-q");
      await git(...there, "add", ".");
      await git(...there, "commit", "-qm", "Private");
      await git(...there, "repack", "-qad");
      const packs = join(home, "private/.git/objects/pack");
      const [pack] = [...Deno.readDirSync(packs)].filter(({ name }) => name.endsWith(".pack"));
      const listed = await git(...there, "verify-pack", "-v", join(packs, pack?.name ?? ""));
      const offset = Number(/ blob .* (\d+)$/m.exec(listed)?.[1]);
      await git("update-index", "--add", "--cacheinfo", `100644,${MADE_UP},x.txt`);
      const tree = await git("write-tree", "--missing-ok");
      const commit = await git("commit-tree", "-m", "Made up", tree);
      await git("update-ref", "refs/heads/main", commit);
      const path = `../../../../private/.git/objects/pack/${pack?.name.replace(/pack$/, "idx")}`;
      await Deno.mkdir(join(project, ".git/objects/pack"), { recursive: true });
      const file = join(project, ".git/objects/pack/multi-pack-index");
      await Deno.writeFile(file, indexOf(path, offset));
      assert.match(await git("cat-file", "blob", MADE_UP), /SECRET/, "at stake");
      for (const [tool, args] of [["file", { file: "x.txt" }], ["show", {}]] as const) {
        const answer = await call(tool, args).catch(String);
        assert.doesNotMatch(JSON.stringify(answer), /SECRET/);
      }
    }),
});

Deno.test({
  name: "git reads packs beside an index of packs",
  ignore,
  fn: () =>
    withStage(async (stage) => {
      await commitFirst(stage);
      await stage.git("repack", "-qad");
      await stage.git("multi-pack-index", "write");
      const { text } = await stage.call("file", { file: "a.txt" });
      assert.equal(text, "one\n");
    }),
});
