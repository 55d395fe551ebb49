import assert from "node:assert/strict";
import { createLine, type Entry } from "../../telemetry/lines.ts";

const ENTRY: Entry = {
  time: Date.UTC(2026, 10, 21, 9),
  level: "info",
  message: "run",
  facts: { span: "run", outcome: "ok", ms: 12.5, level: "mine", tool: "a\u001b[31m\u202e\nb" },
};

Deno.test("createLine() writes JSON that holds every fact and no control character", () => {
  const line = createLine("json")(ENTRY);
  assert.match(line, /^[\x20-\x7e]+\n$/);
  assert.deepEqual(JSON.parse(line), {
    "@timestamp": "2026-11-21T09:00:00.000Z",
    level: "INFO",
    message: "run",
    logger: "toolscript",
    span: "run",
    outcome: "ok",
    ms: 12.5,
    level_: "mine",
    tool: ENTRY.facts.tool,
  });
});

Deno.test("createLine() writes text on one line", () => {
  const line = createLine("text")(ENTRY);
  assert.match(
    line,
    /^\d\d:\d\d:\d\d\.\d{3} .*run outcome=ok ms=12\.5 level=mine tool="[^\n]*"\n$/,
  );
  assert.match(line, /^[\x20-\x7e]+\n$/);
});

Deno.test("createLine() bounds a line", () => {
  const many = Array.from({ length: 1_000 }, (_, at) => [`fact${at}`, "x".repeat(1_000)]);
  for (const format of ["json", "text", "color"] as const) {
    const line = createLine(format)({ ...ENTRY, facts: Object.fromEntries(many) });
    assert.ok(line.length < 20_000, `${format}: ${line.length}`);
  }
});
