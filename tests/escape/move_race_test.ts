/** A folder is moved to where closed files may come, and changed while it is searched for them. */

import assert from "node:assert/strict";
import { join } from "node:path";
import type { JsonObject } from "#base";
import { openGateway, type TestGateway } from "../support/gateway.ts";
import { withProject } from "../support/project.ts";

const SCRIPTS = Array.from({ length: 60 }, (_, at) => `s${at}.rules`);
const FILES = Array.from({ length: 2_000 }, (_, at) => [`stage/f${at}.txt`, ""]);
const WAYS: Record<string, (name: string) => [string, JsonObject]> = {
  "a write": (name) => ["file.write", { path: `stage/${name}`, text: "evil" }],
  "a copy": (name) => ["file.copy", { from: "evil.txt", to: `stage/${name}` }],
  "a move": (name) => ["file.move", { from: `other/${name}`, to: `stage/${name}` }],
};

Deno.test("a file added to a folder during a move reaches no closed place", async (t) => {
  for (const [way, change] of Object.entries(WAYS)) {
    await t.step(way, () =>
      withProject({
        config: {
          servers: { a: { command: "/bin/x", args: SCRIPTS.map((name) => `dist/${name}`) } },
        },
        files: {
          ...Object.fromEntries(FILES),
          "evil.txt": "evil",
          ...Object.fromEntries(SCRIPTS.map((name) => [`other/${name}`, "evil"])),
        },
      }, async ({ project, call, refused }) => {
        await refused("file.write", { path: "dist/s0.rules", text: "evil" });
        let isOver = false;
        const move = call("file.move", { from: "stage", to: "dist" }).catch(() => {})
          .finally(() => isOver = true);
        for (const name of SCRIPTS) {
          if (isOver) break;
          await call(...change(name)).catch(() => {});
        }
        await move;
        const dist = await Array.fromAsync(Deno.readDir(join(project, "dist"))).catch(() => []);
        assert.deepEqual(dist.filter(({ name }) => name.endsWith(".rules")), []);
      }));
  }
});

Deno.test("changes of another gateway during a move reach no closed place", async (t) => {
  const servers = { a: { command: "/bin/x", args: SCRIPTS.map((name) => `dist/${name}`) } };
  for (const [way, change] of Object.entries(WAYS)) {
    await t.step(way, async () => {
      await using first = await openGateway({ servers });
      const { home, project } = first;
      await using second = await openGateway({ servers }, { home, project });
      for (const folder of ["stage", "other"]) await Deno.mkdir(join(project, folder));
      for (const [path = "", text = ""] of FILES) {
        await Deno.writeTextFile(join(project, path), text);
      }
      for (const path of ["evil.txt", ...SCRIPTS.map((name) => `other/${name}`)]) {
        await Deno.writeTextFile(join(project, path), "evil");
      }
      const call = async (gateway: TestGateway, [tool, args]: [string, JsonObject]) => {
        const response = await gateway.post(`/tools/${tool.replace(".", "__")}`, args);
        await response.body?.cancel();
        return response.ok;
      };
      // Both are warm, and the place is closed.
      for (const gateway of [first, second]) {
        assert.ok(!await call(gateway, ["file.write", { path: "dist/s0.rules", text: "evil" }]));
      }
      let isOver = false;
      const move = call(first, ["file.move", { from: "stage", to: "dist" }])
        .finally(() => isOver = true);
      let changes = 0;
      for (const name of SCRIPTS) {
        if (isOver) break;
        if (await call(second, change(name))) changes++;
      }
      const isMoved = await move;
      const dist = await Array.fromAsync(Deno.readDir(join(project, "dist"))).catch(() => []);
      assert.deepEqual(dist.filter(({ name }) => name.endsWith(".rules")), []);
      assert.ok(isMoved || changes > 0);
    });
  }
});

Deno.test("two gateways that change one file lose no change", async () => {
  await using first = await openGateway();
  const { home, project } = first;
  await using second = await openGateway({}, { home, project });
  const texts = Array.from({ length: 60 }, (_, at) => `- ${at}\n`);
  await Promise.all(texts.map(async (text, at) => {
    const gateway = at % 2 === 0 ? first : second;
    const response = await gateway.post("/tools/file__append", { path: "all.md", text });
    assert.ok(response.ok, await response.text());
  }));
  const lines = (await Deno.readTextFile(join(project, "all.md"))).split("\n").filter(Boolean);
  assert.deepEqual(lines.toSorted(), texts.map((text) => text.trim()).toSorted());
});
