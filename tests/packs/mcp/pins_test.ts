/** Lists of tools compared with those of first use, and what a person was shown of them. */

import assert from "node:assert/strict";
import type { JsonObject } from "#base";
import { forgetShown, keepShown, wereShown } from "#packs";
import { reviewWith } from "../../../packs/mcp/pins/pins.ts";

const SAVE = { name: "save", description: "Saves a note", inputSchema: { type: "object" } };

Deno.test("pins accept takes no tool for shown since another was accepted before it", () => {
  const folder = Deno.makeTempDirSync();
  const change = (tool: string, now: string) =>
    ({ tool, change: "description", old: "a", new: now }) as const;
  keepShown(folder, [change("one.a", "b"), change("two.b", "b")]);
  assert.ok(wereShown(folder, [change("one.a", "b")]));
  forgetShown(folder, ["one.a"]);
  assert.ok(!wereShown(folder, [change("two.b", "c")]));
  assert.ok(wereShown(folder, [change("two.b", "b")]));
  Deno.removeSync(folder, { recursive: true });
});

Deno.test("under warn, each hint is the stricter of what a tool says and said", () => {
  const rows: readonly (readonly [before: JsonObject, now: JsonObject, used: JsonObject])[] = [
    [
      { readOnlyHint: true },
      { readOnlyHint: false, destructiveHint: true, openWorldHint: false },
      { destructiveHint: true },
    ],
    [
      { readOnlyHint: true },
      { idempotentHint: true, openWorldHint: false, title: "T" },
      { idempotentHint: true, title: "T" },
    ],
    [
      { destructiveHint: false, openWorldHint: false },
      { destructiveHint: false, openWorldHint: false, readOnlyHint: true },
      { destructiveHint: false, openWorldHint: false },
    ],
    [{ openWorldHint: false }, { destructiveHint: true }, { destructiveHint: true }],
  ];
  for (const [before, now, used] of rows) {
    const servers = new Map([["notes", new Map([["save", { ...SAVE, annotations: before }]])]]);
    const list = { server: "notes", tools: [{ ...SAVE, annotations: now }], mode: "warn" } as const;
    const { review } = reviewWith({ servers, isDamaged: false }, list);
    assert.deepEqual(review.tools[0]?.annotations, used);
  }
});

Deno.test("under warn, annotations that promise more than before do not count", () => {
  const pinned = { ...SAVE, annotations: { destructiveHint: true } };
  const tools = [{ ...SAVE, annotations: { readOnlyHint: true } }];
  const pins = { servers: new Map([["notes", new Map([["save", pinned]])]]), isDamaged: false };
  const list = { server: "notes", tools, mode: "warn" } as const;
  const { review } = reviewWith(pins, list);
  assert.deepEqual(review.tools, [pinned]);
  assert.deepEqual(review.changes.get("save")?.kinds, ["annotations"]);
  const before = new Map(tools.map((tool) => [tool.name, tool]));
  const stricter = { servers: new Map([["notes", before]]), isDamaged: false };
  assert.deepEqual(reviewWith(stricter, { ...list, tools: [pinned] }).review.tools, [pinned]);
});
