import { ok, strictEqual } from "node:assert/strict";
import type { CommandSource } from "../../../runtime/command/types.ts";
import type { CommandFinding } from "../../../runtime/command/types.ts";
import { checkedText } from "./checked_text.ts";
import { loadExpand, translateCommand } from "../../../runtime/command/translate.ts";
import { expandCalls } from "../../../runtime/command/snippet/expand_calls.ts";
import { parseModule } from "../../../runtime/syntax/parse.ts";
import { TABLE } from "./names.ts";
import { randomSource } from "./random.ts";

const SEEDS = [
  'brave.search(query="x", count=5)',
  'r = brave.search("x")\nr.items.map(lambda x: x)',
  '{"health": ot.health(), "config": [ot.config(), {"a": 1}]}',
  'proj.onetool / "src" / name\nws(q=1).items[0]',
  "$wsq q1=AI q2=\"M L\" p='x'",
  "```ts\nconst a = await brave.ping();\nif (a) { return `x ${a}`; }\n```",
  "x = []\nfor (const q of xs) { x.push(brave.search(q)) }\n[x, True, None]",
  "const [a, b] = await Promise.all([brave.ping(), ot.health()]);\n`${a}`",
  "async function f({ a = 1, ...b }: T) { y = a; return brave.news(qual=1, q=b) }\nf(a=1)",
  "class A { #x = 1; static async m() { return brave.ping() } }\nenum E { A = 1 }\nnamespace N { export const x = 1 }",
  'const __format__ = "yml"\nbrave.odd(default=1, class=2)\n__sanitize__ = True',
];

const PARTS = [
  "(",
  ")",
  "[",
  "]",
  "{",
  "}",
  "`",
  "${",
  '"',
  "'",
  "\n",
  "\r\n",
  "=",
  ",",
  ":",
  ";",
  "/",
  "*",
  ".",
  "$",
  " ",
  "await ",
  "async ",
  "=>",
  "brave",
  ".ping()",
  "proj.x",
  "ws(",
  "True",
  "x = ",
  "q=1",
  "...",
  "?.",
  "/*",
  "//",
  "\0",
  "\ud800",
  "\u2028",
  "\ufeff",
  "def f():",
  "```",
  "$wsq ",
  "{{ v }}",
  "import ",
  "return ",
  "for (",
  "#",
  "__format__ = ",
  "class ",
  "default=",
  "<T>",
  " as any",
  "!",
  "y: int = ",
  "'''",
  "\\",
];

/** Reads a command and holds what must be so of any. */
function held(text: string): CommandSource | CommandFinding {
  const begun = performance.now();
  const read = translateCommand(text, TABLE, expandCalls);
  ok(performance.now() - begun < 60_000, `slow: ${JSON.stringify(text.slice(0, 200))}`);
  if (read.kind === "finding") {
    const lines = text.split(/\r\n|[\n\r\u2028\u2029]/).length;
    ok(read.line >= 1 && read.line <= lines, `${read.line} of ${lines}: ${JSON.stringify(text)}`);
    ok(read.column >= 1 && read.message !== "");
  } else {
    const parsed = parseModule(checkedText(read));
    strictEqual(
      parsed.kind,
      "parsed",
      `${JSON.stringify(text)} → ${JSON.stringify(checkedText(read))}`,
    );
  }
  return read;
}

Deno.test("reading ends without a crash for any command", async (t) => {
  await t.step("random parts", () => {
    const random = randomSource(1);
    for (let at = 0; at < 1_000; at++) {
      held(Array.from({ length: random(14) }, () => PARTS[random(PARTS.length)]).join(""));
    }
  });
  await t.step("random characters", () => {
    const random = randomSource(2);
    for (let at = 0; at < 500; at++) {
      held(
        String.fromCharCode(
          ...Array.from({ length: random(40) }, () => random(random(4) ? 128 : 65_536)),
        ),
      );
    }
  });
  await t.step("changed commands", () => {
    const random = randomSource(3);
    for (let at = 0; at < 2_000; at++) {
      let text = SEEDS[random(SEEDS.length)] ?? "";
      for (let times = 1 + random(3); times > 0; times--) {
        const from = random(text.length + 1);
        const to = random(3) ? from : Math.min(text.length, from + random(12));
        text = text.slice(0, from) + (random(4) ? PARTS[random(PARTS.length)] : "") +
          text.slice(to);
      }
      held(text);
    }
  });
});

Deno.test("hostile commands end in one finding", async (t) => {
  const rows: Record<string, [string, RegExp | null]> = {
    "200 KB of brackets": ["[".repeat(100_000) + "]".repeat(100_000), /nested too deeply/],
    "50 KB of open brackets": ["(".repeat(50_000), /./],
    "50 KB of open braces": ["{".repeat(50_000), /./],
    "50 KB of braces in lines": ["{\n".repeat(25_000), /./],
    "50 KB of calls": ["f(".repeat(16_500) + ")".repeat(16_500), /./],
    "50 KB of members": [`a${".b".repeat(25_000)}`, /nested too deeply/],
    "200 KB of keyword arguments": [`f(${"a=1,".repeat(50_000)})`, null],
    "50 KB of reserved keyword arguments": [`brave.odd(${"class=1,".repeat(6250)})`, /./],
    "50 KB of objects": ['{"a": 1}\n'.repeat(5500), /./],
    "50 KB of blocks that are objects": ["{a: brave.ping()}\n".repeat(2750), null],
    "50 KB of objects in one line": ["{a: 1};".repeat(7000), null],
    "50 KB of calls in one line": ["brave.ping();".repeat(3750), null],
    "50 KB of templates": ["`${".repeat(16_500), /./],
    "200 KB of snippet calls": ["$wsq q1=1 q2=2\n".repeat(13_000), /more than 100/],
    "200 KB of back-ticks": ["`".repeat(200_000), /./],
    "200 KB of spaces": [" ".repeat(200_000), null],
    "200 KB of lines": ["\n".repeat(200_000), null],
    "50 KB of lines and brackets": ["a\n[0]\n".repeat(8500), null],
    "50 KB of names": [Array.from({ length: 5_000 }, (_, at) => `x${at} = 1`).join("\n"), null],
    "50 KB of one name": ["x = 1\n".repeat(8250), null],
    "50 KB of promises": ["a = brave.ping()\nawait a\n".repeat(2000), null],
    "50 KB of Python": ["def f(x):\n".repeat(5000), /Python/],
    "50 KB of slashes": [`proj.a${' / "b"'.repeat(8250)}`, /nested too deeply/],
    "a line of 200 KB": [`x = "${"a b ".repeat(50_000)}" +`, /./],
    "5 MB": ["x".repeat(5_000_000), /5000000 characters, more than/],
    "NUL": ["a\0b", /\\u0000|Unexpected/],
    "lone surrogate": ["\ud800", /./],
    "lone surrogate in a string": ['"\ud800"', null],
    "a fence in a template literal": ["const s = `\n```ts\n1\n```\n`;\ns", /Missing semicolon/],
    "an escaped fence in a template literal": ["const s = `\n\\`\\`\\`ts\n1\n~~~\n`;\ns", null],
  };
  for (const [name, [text, message]] of Object.entries(rows)) {
    await t.step(name, () => {
      const begun = performance.now();
      const read = held(text);
      const took = performance.now() - begun;
      // It ends; how soon is for the bench to say.
      ok(took < 60_000, `${Math.round(took)} ms`);
      if (message) {
        ok(
          read.kind === "finding" && message.test(read.message),
          JSON.stringify(read).slice(0, 300),
        );
      } else strictEqual(read.kind, "source", JSON.stringify(read).slice(0, 300));
    });
  }
});

Deno.test("loadExpand() loads the expansion for a command with a snippet call", async () => {
  const command = '```\n$wsq q1="a" q2=b\n```';
  strictEqual(translateCommand(command, TABLE, await loadExpand(command)).kind, "source");
  strictEqual(await loadExpand("1"), undefined);
});
