/** Events of ripgrep, without its process. */

import assert from "node:assert/strict";
import { createCollector } from "../../../../packs/builtin/grep/ripgrep_events.ts";

Deno.test("createCollector() reads no more of a file than the limit and the lines around it", () => {
  const collector = createCollector({
    root: "/p",
    base: "/p",
    globs: [],
    hidden: false,
    ignore: false,
    closed: { homeState: [], state: [], secrets: [], inodes: [] },
    pattern: { source: "a", flags: "", multiline: false, looksAround: false },
    want: "matches",
    context: 1,
    limit: 1,
    maxFileBytes: 1_000,
  }, () => true);
  const match = (line: number) =>
    JSON.stringify({
      type: "match",
      data: { lines: { text: "a\n" }, line_number: line, submatches: [{ start: 0, end: 1 }] },
    });
  collector.take('{"type":"begin","data":{"path":{"text":"/p/a.txt"}}}');
  for (const line of [1, 2, 3]) collector.take(match(line));
  // It would throw if it were parsed.
  collector.take('{"type":"match",');
  collector.take('{"type":"end","data":{"binary_offset":null}}');
  const first = { path: "a.txt", line: 1, column: 1, text: "a", before: [], after: ["a"] };
  assert.deepEqual(collector.result(), { matches: [first], counts: [], more: true });
});
