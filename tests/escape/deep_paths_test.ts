/** Paths too long for the system, below which nothing can be looked at. */

import assert from "node:assert/strict";
import { withProject } from "../support/project.ts";

Deno.test("no program makes a path that cannot be listed", () =>
  withProject({}, async ({ call }) => {
    const deep = (top: string) => [top, ...Array(14).fill("x".repeat(250))].join("/");
    for (const top of ["a", "b"]) await call("file.make_folder", { path: deep(top) });
    for (const tool of ["file.move", "file.copy"]) {
      await assert.rejects(call(tool, { from: "a", to: `${deep("b")}/a` }), {
        message: /a path has at most 4,096 bytes and 256 names|the name is too long/,
      });
    }
    await call("file.write", { path: "after.md", text: "x" });
  }));
