/** Short arguments of tools that only read, over which the engine ends its process: the gateway goes on,
 * and so do the next calls. */

import { equal, rejects } from "node:assert/strict";
import type { JsonValue } from "#base";
import type { Job } from "../../packs/jobs/protocol.ts";
import { createJobWorkers } from "../../packs/jobs/workers.ts";

const MODULES = {
  data: new URL("../../packs/builtin/data/work/worker.ts", import.meta.url),
  text: new URL("../../packs/builtin/text/work/worker.ts", import.meta.url),
};
const X = "x".repeat(900_000);

const named = (times: number) => Array(times).fill("q").join(",");

function template(template: string, q: string): Job {
  const about = { escape: "none", lenient: false, maxText: 10_000_000 };
  return { kind: "fillIn", input: { template, values: { q }, ...about } };
}

function query(query: string, value: JsonValue): Job {
  const about = { paths: false, limit: 1_000, maxResult: 1_000_000 };
  return { kind: "query", input: { source: { kind: "value", value }, query, ...about } };
}

function expression(pattern: string, flags: string): Job {
  return { kind: "findAll", input: { text: "a", pattern, flags, literal: false, limit: 1 } };
}

const times = (count: number) => `[${Array(count).fill("@").join(",")}][]`;
const doubled = (count: number) => Array(count).fill("[@,@]").join(" | ");
const HUGE: Record<string, readonly [pack: keyof typeof MODULES, job: Job]> = {
  "a list of all characters": ["text", template(`{{ [${named(180)}]|tojson|list|length }}`, X)],
  "one text of a list": ["text", template(`{{ [${named(1_200)}]|tojson|length }}`, X)],
  "quotes in quotes": ["text", template(`{{ (q${"|tojson".repeat(30)})|length }}`, '"')],
  "a list that is inserted": ["text", template(`{{ [${named(1_200)}] }}`, X)],
  "an expression of many classes": ["text", expression("\\p{L}".repeat(150_000), "iu")],
  "a flattened list": [
    "data",
    query(`${times(1_000)} | ${times(160)} | length(@)`, Array(1_000).fill(1)),
  ],
  "a padded text": ["data", query("length(pad_left(s, `500000000`))", { s: "ä€" })],
  "a text of a doubled list": [
    "data",
    query(`${doubled(14)} | length(to_string(@))`, { s: X.slice(0, 20_000) }),
  ],
};

Deno.test("what ends a job's process ends neither the gateway nor the next call", async (t) => {
  const { signal } = new AbortController();
  for (const [name, [pack, job]] of Object.entries(HUGE)) {
    await t.step(name, async () => {
      const module = MODULES[pack];
      await using workers = createJobWorkers({ module, timeoutMs: 180_000, count: 1 });
      await rejects(workers.run(job, { what: "work", signal, run: undefined }), {
        name: "PackError",
        code: "too_large",
        message: "Cannot work: it took more than 256 MB of memory: give it less at once",
      });
      const small = pack === "text" ? template("{{ q }}", "a") : query("@", "a");
      equal(await workers.run(small, { what: "work", signal, run: undefined }), "a");
    });
  }
});
