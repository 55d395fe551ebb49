import assert from "node:assert/strict";
import { nameTools, type ToolEntry, type ToolSpec } from "#packs";
import { readCorpus } from "../../../support/corpus.ts";
import { callName } from "../../../../runtime/ot/lookup/describe_tool.ts";
import { firstSentence, foreignLine, foreignText } from "../../../../runtime/ot/lookup/foreign.ts";
import { wholeTool } from "../../../../runtime/ot/lookup/whole_tool.ts";

const HEADING = /^[\s>*+.)\d-]*#/;
const UNDERLINE = /^[\s>]*(=+|-+)\s*$/;

/** Parts of texts that could be more than text. */
const PIECES = [
  ..."# ## ###### ``` ```` ~~~ === --- > * - + 1. 2) <h1> </h1> <pre> Also: \\ ` ~ = word".split(
    " ",
  ),
  "\n",
  "\r",
  "\r\n",
  "\t",
  " ",
  "    ",
  "\u2028",
  "\u2029",
  "\u0085",
  "\v",
  "\f",
  "\u202e",
  "\u2066",
  "\u200b",
  "\u0007",
  "\u001b[31m",
  "\ud800",
  "\u{e0041}",
  "e\u0301",
  "日本",
];

function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

function hostileText(next: () => number): string {
  const count = 1 + Math.floor(next() * 30);
  return Array.from({ length: count }, () => PIECES[Math.floor(next() * PIECES.length)]).join("");
}

function assertPlain(text: string, source: string, headings: readonly string[] = []): void {
  const about = JSON.stringify([source, text]);
  for (const line of text.split("\n")) {
    if (headings.includes(line)) continue;
    assert.ok(!HEADING.test(line) && !UNDERLINE.test(line), about);
  }
  assert.ok(!/`{3}|~{3}/.test(text) && !/(?<!\\)<(h1|pre)>/.test(text), about);
  assert.ok(!/(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(text), about);
}

function entryOf(spec: ToolSpec): ToolEntry {
  const [entry] = nameTools([{ name: "p", source: "proxy:p", tools: [spec] }]).entries;
  assert.ok(entry);
  return entry;
}

Deno.test("foreign text makes no heading and no fence, whatever it is made of", () => {
  const next = random(14);
  for (let round = 0; round < 20_000; round++) {
    const text = hostileText(next);
    const most = 1 + Math.floor(next() * 200);
    for (const result of [foreignLine(text, most), firstSentence(text, most)]) {
      assertPlain(result, text);
      assert.ok(!result.includes("\n") && result.length <= most, JSON.stringify([text, result]));
    }
    assertPlain(foreignText(text, most), text);
    assert.ok(foreignText(text, most).length <= most + 2);
  }
});

Deno.test("wholeTool() holds foreign text in its place, wherever it stands in a schema", () => {
  const next = random(41);
  for (let round = 0; round < 2_000; round++) {
    const [name, other, text] = [hostileText(next), hostileText(next), hostileText(next)];
    const entry = entryOf({
      name: "t",
      description: text,
      inputSchema: {
        type: "object",
        properties: {
          [name]: {
            type: "string",
            description: text,
            default: text,
            format: text,
            pattern: other,
          },
          [other]: { enum: [text, name, other], description: other, examples: [name] },
        },
        required: [other],
        examples: [{ [name]: text }],
      },
      outputSchema: { type: "object", properties: { [name]: { const: text } } },
    });
    for (const docs of [undefined, "https://docs.example/p/"]) {
      const whole = wholeTool(entry, { most: 4_000, docs, isExact: docs !== undefined });
      assert.ok(whole !== undefined && whole.length <= 4_000);
      assertPlain(whole, JSON.stringify([name, other, text]), ["## p.t"]);
    }
  }
});

Deno.test("wholeTool() keeps every tool of public servers within its room", async () => {
  const { entries } = nameTools(await readCorpus());
  for (const entry of entries) {
    const exact =
      wholeTool(entry, { most: 4_000, isExact: true, docs: "https://docs.example/p/" }) ?? "";
    assert.ok(exact.length <= 4_000 && exact.startsWith(`## ${callName(entry)}\n`), exact);
    assert.ok(exact.endsWith("\nDocs: https://docs.example/p/"), exact);
    assert.match(exact, /^Source: proxy:/m);
    const [, , signature = ""] = exact.split("\n");
    assert.ok(exact.includes(`\n${callName(entry)}(`), exact);
    assert.ok(!/undefined|\[object|'\.\.\.'/.test(signature), signature);
    const short = wholeTool(entry, { most: 1_000 }) ?? "";
    assert.ok(short.length <= 1_000 && short.includes(`\n${callName(entry)}(`), exact);
  }
});

Deno.test("firstSentence() ends where the first sentence does", async (t) => {
  const rows: [text: string, sentence: string][] = [
    ["Logs work. Needs a key.", "Logs work."],
    ["Logs work, e.g. on an issue. Then more.", "Logs work, e.g. on an issue."],
    ["Reads version 1.2 of a file\n\nArgs:\n  x: y", "Reads version 1.2 of a file"],
    ["\n\n  Finds things\nthat were lost\nReturns a list", "Finds things that were lost"],
    ["# Title\nText", "\\# Title"],
    ["Is it there? Asks.", "Is it there?"],
    ["名前を探す。次の文。", "名前を探す。"],
    ["", ""],
  ];
  for (const [text, sentence] of rows) {
    await t.step(sentence, () => assert.equal(firstSentence(text, 200), sentence));
  }
});
