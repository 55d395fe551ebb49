/** A folder is moved to where closed files may come, and changed while it is searched for them. */

import assert from "node:assert/strict";
import { join } from "node:path";
import type { JsonObject } from "#base";
import { withProject } from "../support/project.ts";

const SCRIPTS = Array.from({ length: 60 }, (_, at) => `s${at}.js`);
const FILES = Array.from({ length: 2_000 }, (_, at) => [`stage/f${at}.txt`, ""]);
const WAYS: Record<string, (name: string) => [string, JsonObject]> = {
  "a write": (name) => ["file.write", { path: `stage/${name}`, text: "evil" }],
  "a copy": (name) => ["file.copy", { from: "evil.txt", to: `stage/${name}` }],
  "a move": (name) => ["file.move", { from: `other/${name}`, to: `stage/${name}` }],
};

Deno.test("what comes into a folder while it is moved gets to no closed place", async (t) => {
  for (const [way, change] of Object.entries(WAYS)) {
    await t.step(way, () =>
      withProject({
        config: {
          servers: { a: { command: "node", args: SCRIPTS.map((name) => `dist/${name}`) } },
        },
        files: {
          ...Object.fromEntries(FILES),
          "evil.txt": "evil",
          ...Object.fromEntries(SCRIPTS.map((name) => [`other/${name}`, "evil"])),
        },
      }, async ({ project, call, refused }) => {
        await refused("file.write", { path: "dist/s0.js", text: "evil" });
        let isOver = false;
        const move = call("file.move", { from: "stage", to: "dist" }).catch(() => {})
          .finally(() => isOver = true);
        for (const name of SCRIPTS) {
          if (isOver) break;
          await call(...change(name)).catch(() => {});
        }
        await move;
        const dist = await Array.fromAsync(Deno.readDir(join(project, "dist"))).catch(() => []);
        assert.deepEqual(dist.filter(({ name }) => name.endsWith(".js")), []);
      }));
  }
});
