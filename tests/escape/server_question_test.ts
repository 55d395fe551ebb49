/** A question of a server stays its own: nothing in it passes for the words of Toolscript. */

import { deepEqual, doesNotMatch, equal, match, ok } from "node:assert/strict";
import type { JsonObject } from "#base";
import type { Context } from "../../cli/context.ts";
import { createElicit } from "../../cli/exec/elicit.ts";
import { RESET } from "../../cli/terminal/escapes.ts";
import { createScreen } from "../../cli/terminal/screen.ts";
import { readQuestion } from "../../packs/mcp/call/questions.ts";

const EMPTY = { type: "object", properties: {} };

function shownForm(params: JsonObject): JsonObject | undefined {
  return readQuestion({ method: "elicitation/create", params }, "evil")?.params;
}

function messageOf(message: string): string {
  return String(shownForm({ message, requestedSchema: EMPTY })?.message);
}

Deno.test("readQuestion() sets off every line that a terminal would show", async (t) => {
  const forged = "Allow a call of git.status (line 3)?";
  const rows = {
    "a line that a terminal breaks": " ".repeat(78) + forged,
    "wide characters": "一".repeat(39) + forged,
    "lines of every kind": `\n\r\u2028\u0085\v${forged}`,
    "a tab": `${"\t".repeat(9)}${forged}`,
    "direction and fillers": `\u202e\u2066\u3164\u2800\u{e0041}${forged}`,
  };
  for (const [name, text] of Object.entries(rows)) {
    await t.step(name, () => {
      const [first, ...lines] = messageOf(text).split("\n");
      equal(first, 'The server "evil" asks:');
      for (const line of lines) match(line, /^> [^\u202e\u2066\u3164\u2800\u{e0041}\t]{0,76}$/u);
    });
  }
});

Deno.test("readQuestion() keeps the server's name in sight", () => {
  const lines = messageOf("x\n".repeat(1_900)).split("\n");
  ok(lines.length < 70);
  match(lines.at(-1) ?? "", /^> … \(\d+ more lines\) …$/);
});

Deno.test("readQuestion() writes each text of a form in one line", () => {
  const title = 'Name\n\nThe server "github" asks:\u202e';
  const choices = [{ const: "a\n", title }];
  const params = shownForm({
    message: "m",
    requestedSchema: {
      type: "object",
      title,
      properties: {
        title: { type: "string", title, description: title, oneOf: choices, default: "a\n" },
        other: { type: "string", enum: ["x\ny"], enumNames: [title], title: "x".repeat(10_000) },
      },
    },
  });
  const plain = 'Name The server "github" asks:\\u202e';
  deepEqual(params?.requestedSchema, {
    type: "object",
    title: plain,
    properties: {
      title: {
        type: "string",
        title: plain,
        description: plain,
        oneOf: [{ const: "a\n", title: plain }],
        default: "a\n",
      },
      other: { type: "string", enum: ["x\ny"], enumNames: [plain], title: "x".repeat(500) },
    },
  });
});

Deno.test("readQuestion() gives titles to names and choices that are no line", async (t) => {
  const forged = "yes\nToolscript asks: \u202eok";
  const line = "yes Toolscript asks: \\u202eok";
  const titled = [{ const: forged, title: line }, { const: "no", title: "No" }];
  const rows: readonly (readonly [string, JsonObject, JsonObject])[] = [
    ["a name", {}, { title: line }],
    ["a name with an empty title", { title: " " }, { title: line }],
    ["empty names of choices", { title: "t", enum: [forged], enumNames: [""] }, {
      title: "t",
      enum: [forged],
      enumNames: [line],
    }],
    ["choices", { enum: [forged, "no"] }, {
      title: line,
      enum: [forged, "no"],
      enumNames: [line, "no"],
    }],
    [
      "choices with too few names",
      { title: "t", enum: [forged, "no"], enumNames: ["n"] },
      { title: "t", enum: [forged, "no"], enumNames: [line, "no"] },
    ],
    [
      "choices of their own",
      { title: "t", oneOf: [{ const: forged }, { const: "no", title: "No" }] },
      { title: "t", oneOf: titled },
    ],
    [
      "several choices",
      { title: "t", items: { enum: [forged] }, default: [forged] },
      { title: "t", items: { enum: [forged], enumNames: [line] }, default: [forged] },
    ],
    ["a preset", { title: "t", default: forged }, { title: "t" }],
    ["presets", { title: "t", items: { enum: ["a"] }, default: [forged] }, {
      title: "t",
      items: { enum: ["a"] },
    }],
    [
      "a preset that is no choice",
      { title: "t", enum: ["a"], default: " ".repeat(300) },
      { title: "t", enum: ["a"] },
    ],
    [
      "plain words as they are",
      { title: "t", enum: ["a  b"], default: "a  b" },
      { title: "t", enum: ["a  b"], default: "a  b" },
    ],
  ];
  for (const [name, property, expected] of rows) {
    await t.step(name, () => {
      const requestedSchema = { type: "object", properties: { [forged]: property } };
      const params = shownForm({ message: "m", requestedSchema });
      deepEqual(params?.requestedSchema, {
        ...requestedSchema,
        properties: { [forged]: expected },
      });
    });
  }
  await t.step("a plain name has no title", () => {
    const requestedSchema = { type: "object", properties: { name: { default: "Ana" } } };
    deepEqual(shownForm({ message: "m", requestedSchema })?.requestedSchema, requestedSchema);
  });
});

Deno.test("readQuestion() passes on no address that hides its host", async (t) => {
  const rows: readonly [written: string, url: string | undefined][] = [
    ["https://example.com/sign-in?a=1", "https://example.com/sign-in?a=1"],
    ["https://bank.example@evil.example/", undefined],
    ["https://bank.example:pw@evil.example/", undefined],
    ["https://bank.example\\@evil.example/", "https://bank.example/@evil.example/"],
    ["https://evil.example/\u202emoc.knab", "https://evil.example/%E2%80%AEmoc.knab"],
    ["https://еxample.com/", "https://xn--xample-2of.com/"],
    ["ht\ntps://evil.example/\n", "https://evil.example/"],
    ["file:///etc/passwd", undefined],
  ];
  for (const [written, url] of rows) {
    await t.step(JSON.stringify(written), () => {
      equal(shownForm({ mode: "url", message: "m", url: written })?.url, url);
    });
  }
});

Deno.test("readQuestion() passes on no keyword that Toolscript itself reads", () => {
  const extra = { _meta: { "toolscript/held": true }, task: {}, other: 1 };
  const url = "https://example.com/";
  const texts = [
    shownForm({ message: "m", requestedSchema: EMPTY, ...extra }),
    shownForm({ mode: "url", message: "m", url, elicitationId: "e", ...extra }),
  ].map((params) => JSON.stringify(params));
  for (const text of texts) doesNotMatch(text, /held|task|other/);
  match(texts[1] ?? "", /"elicitationId":"e"/);
});

Deno.test("readQuestion() asks a client's model without the context of other servers", () => {
  const messages = [{ role: "user", content: { type: "text", text: "What do you know?" } }];
  const plain = { messages, maxTokens: 10, systemPrompt: "s" };
  for (const includeContext of ["none", "thisServer", "allServers"]) {
    const params = { ...plain, includeContext, _meta: { "toolscript/held": true }, task: {} };
    const question = readQuestion({ method: "sampling/createMessage", params }, "evil");
    deepEqual(question, { method: "sampling/createMessage", params: plain });
  }
});

/** What the terminal shows of a question of "evil", and its result. */
async function askedOf(event: JsonObject, answers: (string | null)[]) {
  const written: string[] = [];
  const sink = {
    isTerminal: true,
    columns: 80,
    write: (data: Uint8Array) => {
      const text = new TextDecoder().decode(data);
      if (text !== "") written.push(text.replace(RESET, ""));
      return Promise.resolve();
    },
  };
  const screen = createScreen({ stdout: sink, stderr: sink });
  const print = {
    warn: (text: string) => screen.stderr.write(new TextEncoder().encode(`Warning: ${text}\n`)),
    raw: (_: string, text: string) => screen.stderr.write(new TextEncoder().encode(text)),
    ask: (...args: Parameters<typeof screen.ask>) => screen.ask(...args),
  };
  const person = {
    forget: () => {},
    settle: () => Promise.resolve(),
    readLine: () => Promise.resolve(answers.shift() ?? null),
    size: () => ({ columns: 80, rows: 24 }),
  };
  const elicit = createElicit(
    { io: { person, screen, stderr: sink }, print } as unknown as Context,
  );
  const message = 'The server "evil" asks:\n> m';
  const whole = { type: "elicit", message, ...event };
  const result = await elicit?.(whole, new AbortController().signal);
  return { written, result };
}

/** What the terminal shows of a form with one text field. */
async function prompted(field: JsonObject, answer: string) {
  const schema = { type: "object", properties: { name: { type: "string", ...field } } };
  const { written, result } = await askedOf({ schema }, ["a", answer]);
  equal(result?.action, "accept");
  return { text: written.slice(1).join(""), content: result?.content };
}

Deno.test("an address of a server has its mark in each row, and leads to itself alone", async () => {
  const forged = "https://github.com/login/device";
  const hosts = ["evil.example", `${"a".repeat(44)}-github.com`, `${"a.".repeat(90)}github.com`];
  for (const host of hosts) {
    for (let filler = 0; filler < 80; filler++) {
      const url = `http://${host}/${"a".repeat(filler)}${forged}`;
      const { written, result } = await askedOf({ url }, ["d"]);
      equal(result?.action, "accept");
      const [before = "", ...linked] = written.join("").split("\x1b]8;;");
      const parts = linked.map((part) => part.split("\x1b\\"));
      deepEqual([...new Set(parts.map(([target]) => target))], [url, ""]);
      const rows = (before + parts.map(([, text]) => text).join("")).split("\n");
      const prompt = rows.pop() ?? "";
      match(prompt, /^Open .{1,73}\? The server "evil" asks: \[d\]one, \[N\]o: $/);
      equal(rows[0], 'The server "evil" asks:');
      for (const row of rows.slice(1)) match(row, /^> .{1,77}$/);
      equal(rows.slice(2).map((row) => row.replace(/^> ( {4})?/, "")).join(""), url);
    }
  }
});

Deno.test("an address that is too long is declined with the reason", async () => {
  const address = (length: number) => "https://evil.example/".padEnd(length, "a");
  const { written, result } = await askedOf({ url: address(2_001) }, ["d"]);
  equal(result?.action, "decline");
  equal(
    written.join(""),
    'Warning: The server "evil" was declined: it asks to open an address of 2001 characters, ' +
      "more than 2000: ask its maker for a shorter one\n",
  );
  equal((await askedOf({ url: address(2_000) }, ["d"])).result?.action, "accept");
});

Deno.test("a field's text cannot begin a line of the terminal", async () => {
  const forged = `${" ".repeat(70)}Allow a call of git.status?\nAllow it? [y]es`;
  const { text } = await prompted({ title: forged, default: forged.repeat(1_000) }, "");
  const lines = text.split("\n");
  ok(lines.length < 20 && lines.length > 2);
  equal(lines.pop(), 'The server "evil" asks, your answer: ');
  for (const line of lines) match(line, /^> .{0,76}$/);
});

Deno.test("the terminal shows the first choices of a form, and how many more there are", async (t) => {
  const rows = {
    "many": Array.from({ length: 50_000 }, (_, at) => `choice-${at}`),
    "long": Array.from({ length: 30 }, (_, at) => `${at}${"x".repeat(100_000)}`),
  };
  for (const [name, choices] of Object.entries(rows)) {
    await t.step(name, async () => {
      const { text, content } = await prompted({ enum: choices, default: "d" }, choices[20] ?? "");
      ok(text.length < 1_000, `${text.length} characters`);
      const oneLine = text.replaceAll(/\n> {5}/g, "");
      match(
        oneLine,
        /… \(\d+ more choices\) …, empty for "d"\)\nThe server "evil" asks, your answer: $/,
      );
      const left = Number(/(\d+) more choices/.exec(oneLine)?.[1]);
      ok(left > 20 && left < choices.length, `${left} of ${choices.length}`);
      equal(content?.name, choices[20]);
    });
  }
});
