import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { join } from "node:path";
import type { JsonValue } from "#base";
import {
  byteLength,
  createReplyWriter,
  createResultStore,
  type ReplyWriter,
  type ResultStore,
} from "../../../runtime/reply/mod.ts";

async function withWriter(
  test: (writer: ReplyWriter, place: { store: ResultStore; folder: string }) => Promise<void>,
  maxInlineBytes = 50_000,
): Promise<void> {
  const project = await Deno.makeTempDir();
  const folder = join(project, ".onetool", "tmp");
  const store = createResultStore({
    folder,
    ttlMs: () => 3_600_000,
    outputBytes: () => 4_000_000,
    now: () => Date.now(),
  });
  try {
    await test(
      createReplyWriter({ store, settings: () => ({ maxInlineBytes, previewLines: 10 }) }),
      { store, folder },
    );
  } finally {
    await Deno.remove(project, { recursive: true });
  }
}

const tools = ["github.search"];

Deno.test("RUN-59 sanitizing that is switched off changes nothing", async () => {
  await withWriter(async (writer) => {
    const { text } = await writer.write("```\n$wsq\n```", { tools, sanitize: false });
    strictEqual(text, "```\n$wsq\n```");
  });
});

Deno.test("RUN-60 sanitizing is off unless asked", async () => {
  await withWriter(async (writer) => {
    strictEqual((await writer.write("$wsq", { tools })).text, "$wsq");
    match((await writer.write("$wsq", { tools, sanitize: true })).text, /^<external-content-/);
  });
});

Deno.test("RUN-61 output below the limit is sent whole", async () => {
  await withWriter(async (writer, { folder }) => {
    const text = "x".repeat(10_000);
    deepStrictEqual(await writer.write(text, { tools }), { text });
    deepStrictEqual(await writer.write("é".repeat(25_000), { tools }), {
      text: "é".repeat(25_000),
    });
    await Deno.stat(folder).then(() => ok(false), () => {});
  });
});

Deno.test("RUN-62 output over the limit is stored, and a summary goes in its place", async (t) => {
  const items = Array.from({ length: 3_000 }, (_, id) => ({ id, title: `Issue ${id}` }));
  const values: [string, JsonValue, string][] = [
    ["text", "line of text\n".repeat(8_000), "line of text\n".repeat(8_000)],
    ["one byte over", "é".repeat(25_000) + "x", "é".repeat(25_000) + "x"],
    ["rows", items, JSON.stringify(items, null, 2)],
    ["escapes", ["\0".repeat(9_000)], JSON.stringify(["\0".repeat(9_000)], null, 2)],
  ];
  for (const [name, value, kept] of values) {
    await t.step(name, async () => {
      await withWriter(async (writer, { store }) => {
        const { text, stored } = await writer.write(value, { tools });
        ok(stored && byteLength(text) <= 50_000);
        strictEqual(JSON.parse(text).handle, stored.handle);
        strictEqual(stored.size_bytes, byteLength(kept));
        strictEqual(stored.tool, "github.search");
        const entry = await store.get(stored.handle);
        ok(entry.kind === "found" && await entry.text.whole() === kept);
      });
    });
  }
});

Deno.test("RUN-62 the size is that of the final text, in its format", async () => {
  await withWriter(async (writer) => {
    const value = Array.from({ length: 100 }, () => ({ a: 1 }));
    strictEqual((await writer.write(value, { tools })).stored, undefined);
    ok((await writer.write(value, { tools, format: "json_h" })).stored);
    strictEqual((await writer.write(value, { tools, format: "yml" })).stored, undefined);
    ok((await writer.write(value, { tools, format: "raw" })).stored);
  }, 1_600);
});

Deno.test("RUN-62 a summary keeps the format and the sanitizing that were asked", async () => {
  await withWriter(async (writer, { store }) => {
    const options = { tools, format: "yml_h", sanitize: true };
    const { text, stored } = await writer.write("```\n".repeat(2_000), options);
    match(text, /^<external-content-[0-9a-f]+ from="github\.search"[^>]*>\nhandle: /);
    ok(byteLength(text) <= 2_000);
    strictEqual(stored?.sanitize, true);
    const entry = await store.get(stored?.handle ?? "");
    ok(entry.kind === "found" && await entry.text.whole() === "```\n".repeat(2_000));
  }, 2_000);
});

Deno.test("RUN-62 ten megabytes are stored without a long stop", async () => {
  await withWriter(async (writer) => {
    const value = Array.from(
      { length: 60_000 },
      (_, id) => ({ id, text: "lorem ipsum ".repeat(12) }),
    );
    for (const format of ["json", "yml", "yml_h"]) {
      let turns = 0;
      const timer = setInterval(() => turns++, 1);
      const { stored } = await writer.write(value, { tools, format });
      clearInterval(timer);
      ok((stored?.size_bytes ?? 0) > 10_000_000);
      ok(turns > 5, `the event loop turned ${turns} times`);
    }
  });
});
