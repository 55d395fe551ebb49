/** Findings of the compiler that are made to take long: many, and long. */

import { deepEqual, equal, ok } from "node:assert/strict";
import { silent } from "#base";
import { bounded } from "#base/bounded";
import { createChecker } from "#runtime";
import { readDiagnostics } from "../../../runtime/check/diagnostics.ts";
import { certainOf } from "../../../runtime/run/check_program.ts";

const ENTRY = "script.ts";

function read(text: string, items: readonly unknown[]) {
  const source = { entry: ENTRY, files: new Map([[ENTRY, text]]) };
  return bounded(() => readDiagnostics([{ path: ENTRY, lists: [items] }], source), 10_000);
}

const item = (text: string, more: object = {}) => {
  return { category: 1, code: 2345, pos: 0, end: 1, text, ...more };
};

const ADVICE = " Do you need to change your target library";
const STEPS = { text: "step", messageChain: [{ text: "in it" }] };

/** Messages that hold names of a program, at full length. */
const LONG: Readonly<Record<string, string>> = {
  "advice before a line end of another kind": `${ADVICE.repeat(25_000)}\u2028`,
  "beginnings of advice": " Do you need to ".repeat(60_000),
  "names of files": "/__program/.entry.ts".repeat(50_000),
  blanks: " ".repeat(1_000_000),
};

Deno.test("a message of 1 MB is cut before it is searched", async (t) => {
  for (const [name, text] of Object.entries(LONG)) {
    await t.step(name, () => {
      const items = Array.from({ length: 40 }, (_, pos) => item(text, { pos }));
      const findings = read("\n".repeat(50), items);
      equal(findings.length, 20);
      ok(findings.every(({ message }) => message.length <= 4_001));
    });
  }
});

Deno.test("only the findings that are reported are put into words", () => {
  let words = 0;
  const items = Array.from({ length: 100_000 }, (_, at) => ({
    category: 1,
    code: 2349,
    pos: 100_000 - at,
    end: 100_000 - at,
    get text() {
      words++;
      return `finding ${at}`;
    },
  }));
  const findings = read("x".repeat(100_001), [...items, ...items]);
  equal(words, 20);
  equal(findings[0]?.message, "finding 99999");
  deepEqual(findings.map(({ column }) => column), Array.from({ length: 20 }, (_, at) => at + 2));
});

Deno.test("a message ends before advice that no program can follow, and its chain is bounded", () => {
  const rows = [
    [`No such name.${ADVICE}? Try 'es2015'.`, "No such name."],
    ["No. Do you need to install type definitions for node?", "No."],
    [`Name '${ADVICE}' is.${ADVICE}?`, `Name '${ADVICE}' is.`],
    ["Do you need to rest?", "Do you need to rest?"],
    ["No. Do you need to rest?", "No. Do you need to rest?"],
  ] as const;
  for (const [text, message] of rows) equal(read("x", [item(text)])[0]?.message, message);
  const chained = read("x", [item("top", { messageChain: [STEPS, STEPS] })]);
  equal(chained[0]?.message, "top\n  step\n    in it\n  step\n    in it");
  let deep: object = { text: "end" };
  for (let depth = 0; depth < 100_000; depth++) deep = { text: "in", messageChain: [deep] };
  const wide = { messageChain: Array(100_000).fill(STEPS) };
  for (const chain of [{ messageChain: [deep] }, wide]) {
    equal(read("x", [item("top", chain)])[0]?.message.split("\n").length, 20);
  }
});

Deno.test("places are told by all kinds of line ends", () => {
  const text = "a\r\nb\rc\nd\u2028e\u2029f";
  const items = [...text].flatMap((mark, pos) => /[a-f]/.test(mark) ? [item(mark, { pos })] : []);
  const findings = read(text, items);
  equal(
    findings.map(({ message, line, column }) => `${message}${line}${column}`).join(),
    "a11,b21,c31,d41,e51,f61",
  );
});

Deno.test("an entry's name stands in a message as it is", () => {
  const source = { entry: "$&$`.ts", files: new Map([["$&$`.ts", "x"]]) };
  const lists = [[item("in '/__program/.entry.ts'")]];
  equal(readDiagnostics([{ path: "$&$`.ts", lists }], source)[0]?.message, "in '$&$`.ts'");
});

Deno.test("more findings than are read leave a program unchecked, and the next one is checked", async () => {
  await using checker = createChecker({ deno: Deno.execPath(), log: silent });
  const check = (text: string) => checker.check({ entry: ENTRY, files: new Map([[ENTRY, text]]) });
  const result = await check("1();\n".repeat(25_000));
  deepEqual(result, {
    kind: "unchecked",
    reason: "the checker's findings took more than 4 MB: make the program smaller",
  });
  equal((await check("1 + 1")).kind, "passed");
  equal((await check("nope")).kind, "failed");
});

Deno.test("the text behind a name is searched at once", () => {
  for (const blanks of [" ", "\n", "\u2028"]) {
    const text = `a.map${blanks.repeat(1_000_000)}x`;
    const places = { file: ENTRY, line: 1, column: 3, end_line: 1, end_column: 6 };
    const message = "Property 'map' does not exist on type 'string'.";
    const items = Array.from({ length: 20 }, () => ({ ...places, code: 2339, message }));
    const source = { entry: ENTRY, files: new Map([[ENTRY, text]]) };
    equal(bounded(() => certainOf(items, source), 10_000).length, 0);
    const used = { entry: ENTRY, files: new Map([[ENTRY, "a.map ! ()"]]) };
    equal(certainOf(items, used).length, 20);
  }
});
