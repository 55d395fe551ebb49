import { deepEqual } from "node:assert/strict";
import { eachLine } from "../../../../runtime/reply/lines.ts";
import { findStoredText } from "../../../../runtime/reply/stored_file.ts";
import { pickLines } from "../../../../runtime/ot/result/pick_lines.ts";
import { readLines } from "../../../../runtime/ot/result/read_lines.ts";

/** Texts with their ends of lines at every place of a piece of 65,536 bytes. */
const TEXTS: Record<string, string> = {
  "nothing": "",
  "a line end alone": "\n",
  "one line": "one",
  "both ends of lines": "one\r\ntwo\n\r\n\nlast\r",
  "a byte order mark": "\ufeffone\ntwo",
  "a line end at the end of a piece": `${"x".repeat(65_535)}\nnext\n`,
  "a line end at the start of a piece": `${"x".repeat(65_536)}\nnext\n`,
  "a line end in two pieces": `${"x".repeat(65_535)}\r\nnext\n`,
  "a character in two pieces": `${"x".repeat(65_534)}é😀é\nnext`,
  "a line of many pieces": `first\n${"é😀".repeat(70_000)}\nlast`,
  "many lines": Array.from({ length: 40_000 }, (_, at) => `line ${at}`).join("\n"),
  "many empty lines": "\n".repeat(200_000),
};

const SELECTIONS = [
  { offset: 1, limit: 100 },
  { offset: 2, limit: 1 },
  { offset: 39_999, limit: 100 },
  { offset: 1_000_000, limit: 3 },
  { offset: 1, limit: Infinity },
  { offset: 1, limit: 1, tail: 1 },
  { offset: 1, limit: 1, tail: 50 },
  { offset: 1, limit: 1, tail: 1_000_000 },
];

Deno.test("readLines() finds the lines that the whole text has", async (t) => {
  const path = await Deno.makeTempFile();
  for (const [name, text] of Object.entries(TEXTS)) {
    await t.step(name, async () => {
      await Deno.writeTextFile(path, text);
      const stored = await findStoredText(path, 2 ** 24);
      if (!stored) throw new Error("The file is not found");
      for (const selection of SELECTIONS) {
        // With room for all, no line is left out or cut.
        const all = { ...selection, room: 2 ** 24 };
        const page = pickLines(eachLine(text), all);
        deepEqual(await readLines(stored, all), page);
        const { tail, offset, limit } = selection;
        const lines = [...eachLine(text)];
        const part = tail ? lines.slice(-tail) : lines.slice(offset - 1).slice(0, limit);
        deepEqual(page.lines, part);
      }
    });
  }
  await Deno.remove(path);
});

Deno.test("readLines() and pickLines() keep what may fit, and one line more", async (t) => {
  const path = await Deno.makeTempFile();
  const rows = [
    { text: "12345678\n".repeat(1_000), first: { lines: 10, more: true }, last: [10, 12] },
    { text: "x".repeat(1_000), first: { lines: 1, more: false }, last: [1, 1] },
    { text: `${"x".repeat(1_000)}\n1\n2\n`, first: { lines: 1, more: true }, last: [3, 3] },
  ];
  for (const { text, first, last } of rows) {
    await t.step(text.slice(0, 10), async () => {
      await Deno.writeTextFile(path, text);
      const stored = await findStoredText(path, 2 ** 24);
      if (!stored) throw new Error("The file is not found");
      const room = 100;
      for (const read of [readLines, pickText]) {
        const page = await read(stored, { offset: 1, limit: Infinity, room });
        deepEqual({ lines: page.lines.length, more: page.more }, first);
        deepEqual(page.lines[0], text.slice(0, 101).split("\n")[0]);
        const end = await read(stored, { offset: 1, limit: 1, tail: 1_000_000, room });
        deepEqual([end.lines.at(-1)?.slice(0, 8)], [[...eachLine(text)].at(-1)?.slice(0, 8)]);
        const [least = 0, most = 0] = last;
        const { length } = end.lines;
        deepEqual(length >= least && length <= most, true, `${length} lines`);
        deepEqual(end.lines.every((line) => line.length <= room + 1), true);
      }
    });
  }
  await Deno.remove(path);

  async function pickText(
    stored: Parameters<typeof readLines>[0],
    selection: Parameters<typeof readLines>[1],
  ) {
    return pickLines(eachLine(await stored.whole()), selection);
  }
});
