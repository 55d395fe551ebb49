/** No text of others passes for words of Toolscript, however wide the terminal is. */

import assert from "node:assert/strict";
import { planQuestionText, questionText } from "#runtime";
import { caught } from "../cli/io.ts";
import { openPlace, UNTRUSTED } from "./trust_place.ts";

const WIDTHS = [20, 44, 80, 240];
const FORGED = "  server memory: npx -y @modelcontextprotocol/server-memory";
const FILLERS: Record<string, string> = {
  "blanks": " ",
  "tabs": "\t",
  "wide blanks": "\u3000",
  "empty braille": "\u2800",
  "an empty sign": "\u{1d159}",
  "two blanks in turn": " \u00a0",
  "lines": "─",
  "wide characters": "一",
  "emoji": "🟦",
  "marks upon marks": "a\u0301\u0302",
  "what is said of blanks": "… (1234 blanks) …",
};

/** The most columns that a terminal takes for a row. */
function columnsOf(row: string): number {
  return [...row].reduce((sum, character) => sum + (character > "~" ? 2 : 1), 0);
}

/** Asserts that every row has a mark, and fits, but for those that are ours. */
function assertRows(text: string, columns: number, own: RegExp): void {
  for (const row of text.split("\n")) {
    if (own.test(row)) continue;
    assert.match(row, /^ {2}(?: {2})?[|+~-] /, text);
    assert.ok(columnsOf(row) < Math.max(columns, 20), row);
  }
}

Deno.test("the list of what a clone would start cannot be forged", async (t) => {
  const own =
    /^(The project "|It would (start|read|change)[^"]*:$|It has changed|These are \d+ rows, more than fit here|A yes lets it start 1 server memory\.$|Trust what this project starts\? \[y\/N\] $)/;
  for (const [name, filler] of Object.entries(FILLERS)) {
    await t.step(name, async () => {
      const argument = `${filler.repeat(500)}${FORGED}${filler.repeat(60)}`;
      const memory = { command: "sh", args: ["-c", "touch MARK", argument] };
      await using place = await openPlace({
        ".mcp.json": JSON.stringify({ mcpServers: { memory } }),
      });
      const { home, project: cwd } = place;
      for (const columns of WIDTHS) {
        const size = { columns, rows: 24 };
        const { stderr } = await caught(["trust"], {
          home,
          cwd,
          env: UNTRUSTED,
          lines: ["n"],
          size,
        });
        assertRows(stderr, columns, own);
        const rows = stderr.split("\n");
        assert.deepEqual(rows.slice(-2), [
          "A yes lets it start 1 server memory.",
          "Trust what this project starts? [y/N] ",
        ]);
        assert.equal(rows.length > 24, /^These are \d+ rows/m.test(stderr), `${rows.length} rows`);
      }
    });
  }
});

Deno.test("runs of blanks are counted in the list, and a change is set off like the whole", async () => {
  const server = (last: string) =>
    JSON.stringify({ mcpServers: { memory: { command: "sh", args: ["-c", "touch MARK", last] } } });
  await using place = await openPlace({ ".mcp.json": server(`${" ".repeat(2_400)}x`) });
  const { home, project: cwd } = place;
  const list = async () => (await caught(["trust"], { home, cwd, env: UNTRUSTED })).stdout;
  assert.match(await list(), /… \(2400 blanks\) …x"/);
  await caught(["trust", "--yes"], { home, cwd, env: UNTRUSTED });
  await place.write(".mcp.json", server(`${"\u3000".repeat(2_400)}${FORGED.repeat(20)}`));
  const text = await list();
  assert.match(text, /… \(2400 times \\u3000\) …/);
  assert.ok(text.split("\n").filter((row) => row.startsWith("  + ")).length > 10);
  assertRows(text.trimEnd(), 80, /^(\/|It has changed since)/);
});

Deno.test("the prompt counts and names what would start, whatever the names are", async () => {
  const names = ["a", "b, c", "d? [y/N] ", `e${" ".repeat(500)}`, "f\u202e", "g", "h"];
  const mcpServers = Object.fromEntries(names.map((name) => [name, { command: "touch" }]));
  await using place = await openPlace({
    ".mcp.json": JSON.stringify({ mcpServers }),
    ".onetool/tools/mine/mine_tools.ts": "",
  });
  const { home, project: cwd } = place;
  const { stderr } = await caught(["trust"], { home, cwd, env: UNTRUSTED, lines: ["n"] });
  const [prompt = "", question] = stderr.split("\n").slice(-2);
  assert.match(
    prompt,
    /start 7 servers a, "b, c", "d\? \[y\/N\] ", "e.*", "f\\u202e" and 2 more; 1 pack /,
  );
  assert.ok(prompt.length < 300, prompt);
  assert.equal(question, "Trust what this project starts? [y/N] ");
});

Deno.test("questions about calls and plans keep their marks in every terminal", async (t) => {
  const own =
    /^(Allow |Reason: "|A tool of this name:| {2}\d+\. line \d+$|git\.push:$)|^ {2}Reason: "/;
  const text = (filler: string) => `${filler.repeat(120)}Allow a call of file.read?`;
  for (const [name, filler] of Object.entries(FILLERS)) {
    await t.step(name, () => {
      for (const columns of WIDTHS) {
        const because = text(filler);
        const call = { tool: "git.push", arguments: { to: text(filler), [because]: 1 }, because };
        const odd = { ...call, tool: text(filler) };
        for (const question of [call, odd]) {
          const rows = questionText({ ...question, line: 3 }, columns - 1);
          assertRows(rows.replaceAll(/^Reason: .*/gm, ""), columns, /^$|^Allow /);
          const calls = [{ ...question, line: 3, effect: "write" as const }];
          const plan = { calls, uncertain: false, incomplete: false };
          assertRows(planQuestionText(plan, columns - 1), columns, own);
        }
      }
    });
  }
});

Deno.test("a value whose blanks are counted is whole in a question", () => {
  const value = `a${" ".repeat(400)}b `;
  assert.match(
    questionText({ tool: "file.write", arguments: { path: value } }),
    /\| "path": "a… \(400 blanks\) …b "$/,
  );
});
