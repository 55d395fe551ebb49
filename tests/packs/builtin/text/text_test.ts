/** The `text` pack. */

import assert from "node:assert/strict";
import { join } from "node:path";
import type { JsonObject, JsonValue } from "#base";
import { createRegistry } from "#packs";
import { openBuiltin } from "../../../support/builtin.ts";

const EVIL = "^(a+)+$";
const EVIL_TEXT = `${"a".repeat(60)}!`;
/** Tool, arguments, value. */
const GIVES: readonly (readonly [string, JsonObject, JsonValue])[] = [
  ["hash", { text: "abc" }, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"],
  ["hash", { text: "", algorithm: "md5" }, "d41d8cd98f00b204e9800998ecf8427e"],
  ["hash", { path: "abc.txt", algorithm: "sha1" }, "a9993e364706816aba3e25717850c26c9cd0d89d"],
  [
    "hash",
    { text: "what do ya want for nothing?", key: "Jefe" },
    "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
  ],
  ["encode", { text: "ä/?", to: "base64url" }, "w6QvPw"],
  ["encode", { text: "a b&c", to: "url" }, "a%20b%26c"],
  ["encode", { text: "a b&c", to: "form" }, "a+b%26c"],
  ["encode", { text: "<ä>", to: "html" }, "&lt;ä&gt;"],
  ["encode", { text: "ä", to: "unicode" }, "\\u00e4"],
  ["encode", { text: "ﬁ", to: "nfkc" }, "fi"],
  ["decode", { text: "w6Qv\nPw==", from: "base64" }, "ä/?"],
  ["decode", { text: "&lt;&eacute;&#x1F600;", from: "html" }, "<é😀"],
  ["decode", { text: "\\u{1F600}\\u00e4", from: "unicode" }, "😀ä"],
  ["decode", { text: '"a\\n"', from: "json" }, "a\n"],
  ["replace", { text: "a-b-c", pattern: "-", replacement: "$&", literal: true }, {
    text: "a$&b$&c",
    count: 2,
  }],
  ["replace", { text: "a1 b2", pattern: "(\\w)(\\d)", replacement: "$2$1", all: false }, {
    text: "1a b2",
    count: 1,
  }],
  ["split", { text: "a, b;c,d", pattern: "[,;]\\s*", limit: 3 }, ["a", "b", "c,d"]],
  ["match", { text: "x\na1", pattern: "(?<l>[a-z])(?<d>\\d)|(z)" }, {
    matches: [{
      match: "a1",
      index: 2,
      line: 2,
      groups: ["a", "1", null],
      named: { l: "a", d: "1" },
    }],
    has_more: false,
  }],
  ["diff", { before: "a\nb\n", after: "a\nc\n" }, {
    equal: false,
    added: 1,
    removed: 1,
    diff: "--- before\n+++ after\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n",
  }],
  ["diff", { before: "one cat", after: "one dog", mode: "words" }, {
    equal: false,
    added: 1,
    removed: 1,
    diff: "one [-cat-]{+dog+}",
  }],
  ["diff", { before: "a", after: "a" }, { equal: true, added: 0, removed: 0, diff: "" }],
  [
    "render",
    { template: "{% for n in x %}{{ n | upper }};{% endfor %}", values: { x: ["a"] } },
    "A;",
  ],
  ["render", { template: "{{ x }}", values: { x: "<b>" }, escape: "html" }, "&lt;b&gt;"],
  ["render", { template: "{{ x | safe }}", values: { x: "<b>" }, escape: "html" }, "<b>"],
  ["render", {
    template: "{{ y | default('d') }}{{ x.constructor }}{{ x.__proto__ }}",
    values: { x: {} },
    lenient: true,
  }, "d"],
  ["count", { text: "Two wörds\n", tokens: true }, {
    characters: 10,
    bytes: 11,
    words: 2,
    lines: 1,
    tokens: 5,
  }],
  ["truncate", { text: "ääää", max: 7, unit: "bytes" }, {
    text: "ää…",
    truncated: true,
    left_out: 4,
  }],
  ["truncate", { text: "a b c d", max: 3, unit: "words", keep: "both" }, {
    text: "a… d",
    truncated: true,
    left_out: 2,
  }],
  ["slug", { text: "Ärger über Straße", max: 11 }, "aerger-ueber".slice(0, 6)],
  ["change_case", { text: "parseHTTPHeader", to: "kebab" }, "parse-http-header"],
];
const FAILS: readonly (readonly [string, JsonObject, RegExp])[] = [
  ["hash", {}, /either "text" or "path"/],
  ["hash", { path: "../outside.txt" }, /Cannot read "\.\.\/outside\.txt"/],
  ["match", { text: "a", pattern: "(" }, /Unterminated group.*literal=true/],
  ["match", { text: EVIL_TEXT, pattern: EVIL }, /longer than 0.5 s: use a simpler pattern/],
  ["replace", { text: EVIL_TEXT, pattern: EVIL, replacement: "" }, /longer than 0.5 s/],
  ["decode", { text: "/w==", from: "base64" }, /are not UTF-8 text/],
  ["decode", { text: "%", from: "url" }, /"%" in it/],
  ["render", { template: "{{ y }}", values: { x: 1 } }, /uses "y".*given: x/],
  [
    "render",
    { template: "{{ x.constructor.constructor('return 1')() }}", values: { x: {} } },
    /no plain name/,
  ],
  ["render", { template: "{% include '/etc/passwd' %}" }, /Include/],
  [
    "render",
    { template: "{{ x | groupby('a') }}", values: { x: [{ a: "constructor" }] } },
    /not a function/,
  ],
  [
    "render",
    {
      template: "{% for a in x %}{% for a in x %}{% for a in x %}{% for a in x %}" +
        "{{ a }}{% endfor %}{% endfor %}{% endfor %}{% endfor %}",
      values: { x: Array(200).fill(1) },
    },
    /longer than 0.5 s|more than 10000000 characters|turns/,
  ],
  ["truncate", { text: "abcdef", max: 1, mark: "..." }, /the mark alone/],
];

Deno.test("text.*", async (t) => {
  await using stage = await openBuiltin("text", { pattern_timeout: 0.5, timeout: 30 });
  await Deno.writeTextFile(join(stage.project, "abc.txt"), "abc");
  await using registry = createRegistry([stage.pack], { log: () => {} });
  const call = async (tool: string, args: JsonObject) =>
    (await registry.call(`text__${tool}`, args, {})).value;
  await using patient = await openBuiltin("text", {});
  await Deno.writeTextFile(join(patient.project, "abc.txt"), "abc");
  for (const [tool, args, value] of GIVES) {
    await t.step(`${tool}(${JSON.stringify(args).slice(0, 80)})`, async () => {
      assert.deepEqual((await patient.pack.call(tool, args, {})).value, value);
    });
  }
  for (const [tool, args, message] of FAILS) {
    await t.step(`${tool}(${JSON.stringify(args).slice(0, 80)}) fails`, async () => {
      await assert.rejects(call(tool, args), { name: "PackError", message });
    });
  }
  await t.step("a call ends with its run and does not block the event loop", async () => {
    let ticks = 0;
    const timer = setInterval(() => ticks++, 5);
    const args = { text: EVIL_TEXT, pattern: EVIL };
    const signal = AbortSignal.timeout(200);
    await assert.rejects(registry.call("text__match", args, { signal }));
    clearInterval(timer);
    assert.ok(ticks > 3);
    assert.equal(await call("slug", { text: "A b" }), "a-b");
  });
});
