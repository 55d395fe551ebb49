/** Short texts that a careless pattern compares for minutes, and values that are mostly indentation. */

import { deepEqual, equal, ok } from "node:assert/strict";
import { tmpdir } from "node:os";
import type { JsonValue } from "#base";
import { createReplyWriter, createResultStore } from "../../runtime/reply/mod.ts";
import { partsOf } from "../../runtime/reply/stored_text.ts";
import { SourceReader } from "../../runtime/program/source_reader.ts";
import { jsonIn } from "../../packs/builtin/llm/prompt.ts";
import { listStarts } from "../../config/trust/items.ts";
import { usedMs } from "../support/turns.ts";
import { longestWait, startGatewayProcess } from "./gateway_process.ts";

/** Each kept the gateway busy for seconds; a few characters more, for good. */
const COMMANDS = {
  "line ends before a member": `a\n[1]\nb${"\n".repeat(29)}.c()`,
  "line ends of another kind": `a\n[1]\nb${"\u2028".repeat(29)}.c()`,
  "comments at the ends of lines": `a\n[1]\nb${"//\u2028".repeat(26)}.c()`,
  "indented line ends": `a\n[1]\nb${" \r\n".repeat(29)}.c()`,
  "braces, colons and loops": `${"{".repeat(40)}${":".repeat(40)}${" for ".repeat(12)}${
    " in ".repeat(12)
  }${" ".repeat(80)}`,
  "dictionaries that never end": "{ : for  in ".repeat(33),
  "lists that never end": `${"[x for a in ".repeat(10)}${"b if ".repeat(25)}${" ".repeat(140)}`,
  "conditions without an end": `${"range(".repeat(33)} if ${"\t".repeat(190)}`,
};

Deno.test("a short command is read at once, whatever is in it", async (t) => {
  const reader = new SourceReader();
  await reader.read({ kind: "command", command: "[a for b in c" });
  for (const [name, command] of Object.entries(COMMANDS)) {
    await t.step(name, async () => {
      ok(command.length <= 500);
      const ms = await timed(() => reader.read({ kind: "command", command }));
      ok(ms < 1_000, `${ms} ms`);
    });
  }
});

Deno.test("advice for Python and ends of statements are as before", async () => {
  const reader = new SourceReader();
  const data = await reader.read({ kind: "command", command: "{ k : v  for k, v in d.items() }" });
  ok(data.kind === "finding");
  ok(data.finding.message.includes("Object.fromEntries(d.items().map((k, v) => [k, v]))"));
  const list = await reader.read({ kind: "command", command: "[x for x in xs if x > 1 ]" });
  ok(list.kind === "finding");
  ok(list.finding.message.includes("xs.filter((x) => x > 1).map((x) => x)"));
});

Deno.test("an answer of a model and a reference in a configuration are read at once", async () => {
  for (const answer of ["```\n" + "\n".repeat(3_000), "```json" + " \n".repeat(3_000) + "x"]) {
    const ms = await timed(() => jsonIn(answer));
    ok(ms < 1_000, `${ms} ms`);
  }
  deepEqual(await jsonIn(" ```json \n[1]\n  ```\n"), { value: [1] });
  deepEqual(await jsonIn("```\n```"), { problem: "it is not JSON" });
  const value = `\${a:b${":-".repeat(30_000)}`;
  const at = { line: 1, column: 1 };
  const node = { kind: "scalar", value, source: value, at } as never;
  const root = { kind: "map", entries: new Map([["x", { value: node }]]) } as never;
  ok(await timed(() => Promise.resolve(listStarts(root, []))) < 1_000);
});

const SORTED = "{% set y = range(9999) | join | list | sort | join %}";

/** Bodies of snippets that a user may have written, for few values. */
const SNIPPETS = {
  sorted: `"{% for a in x %}{% for b in x %}${SORTED}{% endfor %}{% endfor %}"`,
  pairs:
    '"{% for a in x %}{% for b in x %}{% if a == b %}{{ a }}{% endif %}{% endfor %}{% endfor %}"',
  listed: '"{% for a in x %}{{ a }},{% endfor %}"',
  named: "[{% for a in x %}{ name: {{ a }} },{% endfor %}]",
};

Deno.test("a snippet that a program calls holds up nobody else", async (t) => {
  const params = { x: { type: "array" } };
  const snippets = Object.fromEntries(
    Object.entries(SNIPPETS).map(([name, body]) => [name, { description: "", params, body }]),
  );
  await using gateway = await startGatewayProcess({ snippets });
  await gateway.run("export default 1");
  for (const name of Object.keys(SNIPPETS)) {
    await t.step(name, async () => {
      const script = `import { tools } from "toolscript";
        const x = Array.from({ length: 9_000 }, (_, at) => at);
        export default await (tools as any).snippets.${name}({ x })
          .then((value: string | unknown[]) => value.length, (error: Error) => error.message);`;
      const { result: reply, longestMs } = await longestWait(gateway, () => gateway.run(script));
      ok(reply.ok, JSON.stringify(reply).slice(0, 500));
      const value = String(reply.value);
      ok(typeof reply.value === "number" || /within|turns/.test(value), value.slice(0, 500));
      ok(longestMs < 1_000, `${longestMs} ms`);
    });
  }
});

Deno.test("the parts of an object with many keys come one after another", () => {
  const keys = Array.from({ length: 300_000 }, (_, at) => `k${at}`);
  let reads = 0;
  const value = new Proxy(Object.fromEntries(keys.map((key) => [key, 1])), {
    get(target, key) {
      reads++;
      return target[String(key)];
    },
  });
  ok(!partsOf(value).next().done);
  ok(reads < keys.length / 2, `${reads} values for the first part`);
});

/** Values of at most 4 MB as JSON. */
const VALUES: Record<string, () => JsonValue> = {
  "many items far down": () => below(395, Array(600_000).fill(0)),
  "more items than a text can hold with indentation": () => below(395, Array(1_900_000).fill(0)),
  "many chains": () => Array.from({ length: 1_200 }, () => below(390, 0)),
  "many chains of objects": () => Array.from({ length: 1_000 }, () => chain(390)),
  "few items far down": () => below(390, Array(24_000).fill(0)),
};

Deno.test("a result is not mostly indentation", async (t) => {
  for (const [name, make] of Object.entries(VALUES)) {
    for (const format of name.startsWith("many chains") ? ["yml_h"] : ["json", "json_h", "yml_h"]) {
      await t.step(`${name}, ${format}`, async () => {
        const project = await Deno.makeTempDir({ dir: tmpdir() });
        const folder = `${project}/.onetool/tmp`;
        const store = createResultStore({
          folder,
          ttlMs: () => 60_000,
          outputBytes: () => 4_000_000,
          now: Date.now,
        });
        const settings = () => ({ maxInlineBytes: 50_000, previewLines: 10 });
        const value = make();
        try {
          const { text, stored } = await createReplyWriter({ store, settings })
            .write(value, { format, tools: [] });
          ok(text.length <= 50_000);
          ok((stored?.size_bytes ?? 0) < 50_000_000, `${stored?.size_bytes} bytes`);
          const kept = stored && await store.get(stored.handle);
          if (kept?.kind !== "found") return;
          equal(JSON.stringify(JSON.parse(await kept.text.whole())), JSON.stringify(value));
        } finally {
          await Deno.remove(project, { recursive: true });
        }
      });
    }
  }
});

function below(depth: number, value: JsonValue): JsonValue {
  return depth === 0 ? value : [below(depth - 1, value)];
}

function chain(depth: number): JsonValue {
  return depth === 0 ? 0 : { a: chain(depth - 1) };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = usedMs();
  await work();
  return usedMs() - begun;
}
