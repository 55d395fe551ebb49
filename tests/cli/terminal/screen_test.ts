import assert from "node:assert/strict";
import { createScreen } from "#cli";
import { RESET } from "../../../cli/terminal/escapes.ts";
import { openGateway } from "../../support/gateway.ts";
import { caught } from "../io.ts";

const question = (prompt: string) => ({ text: () => "Text.", prompt });

function open() {
  const screen = { text: "" };
  const count = { settled: 0 };
  const sink = {
    isTerminal: true,
    columns: 80,
    write: (data: Uint8Array) => {
      screen.text += new TextDecoder().decode(data);
      return Promise.resolve();
    },
  };
  const { stdout, stderr, ...questions } = createScreen({
    stdout: sink,
    stderr: { ...sink },
  });
  const typed = Promise.withResolvers<string | null>();
  const write = (text: string, to = stdout) => to.write(new TextEncoder().encode(text));
  const person = {
    forget: () => {},
    settle: () => {
      count.settled++;
      screen.text += "(settles)";
      return Promise.resolve();
    },
    readLine: (signal?: AbortSignal) => {
      signal?.addEventListener("abort", () => typed.resolve(null));
      return typed.promise;
    },
    size: () => ({ columns: 80, rows: 24 }),
  };
  return { ...questions, screen, count, stderr, write, typed, person };
}

Deno.test("createScreen() keeps output until a question is answered", async () => {
  const { ask, screen, stderr, write, typed, person } = open();
  await write("before");
  const answer = ask(question("Really? "), { person });
  await write("one\n");
  await write("two\n", stderr);
  await write("three\n");
  assert.equal(screen.text, `before\n${RESET}Text.\nReally? `);
  typed.resolve("y");
  assert.equal(await answer, "y");
  await write("four\n");
  assert.equal(screen.text, `before\n${RESET}Text.\nReally? one\ntwo\nthree\nfour\n`);
});

Deno.test("createScreen() keeps output during all questions of a form", async () => {
  const { ask, holding, screen, write, typed, person } = open();
  typed.resolve("y");
  await holding(async () => {
    await ask(question("First? "), { person });
    await write("between\n");
    await ask(question("Second? "), { person });
  });
  assert.equal(screen.text, `${RESET}Text.\nFirst? ${RESET}Text.\nSecond? between\n`);
});

Deno.test("a question that follows an unanswered one takes nothing until no key comes", async (t) => {
  const rows = [
    ["after an answer", "y", 0],
    ["after the end of input", null, 0],
    ["after one that was taken back", undefined, 1],
  ] as const;
  for (const [name, before, settled] of rows) {
    await t.step(name, async () => {
      const { ask, count, typed, person } = open();
      if (before !== undefined) typed.resolve(before);
      const end = new AbortController();
      const first = ask(question("First? "), { person, signal: end.signal });
      await new Promise((resolve) => setTimeout(resolve));
      end.abort();
      assert.equal(await first, before ?? null);
      assert.equal(count.settled, 0);
      await ask(question("Second? "), { person });
      assert.equal(count.settled, settled);
    });
  }
});

Deno.test("a question that follows the last field of a form takes nothing until no key comes", async () => {
  const { ask, count, typed, person } = open();
  typed.resolve("y");
  await ask(question("A form? "), { person });
  for (const name of ["First? ", "Second? "]) await ask(question(name), { person, isField: true });
  assert.equal(count.settled, 0);
  await ask(question("Allow? "), { person });
  assert.equal(count.settled, 1);
  await ask(question("Allow another? "), { person });
  assert.equal(count.settled, 1);
});

Deno.test("a question that is taken back says so, and one that was is not shown", async () => {
  const { ask, screen, person, write } = open();
  const end = new AbortController();
  const answer = ask(question("First? "), { person, signal: end.signal });
  await write("output\n");
  await new Promise((resolve) => setTimeout(resolve));
  end.abort();
  assert.equal(await answer, null);
  const text = `${RESET}Text.\nFirst? \nThe question above was taken back.\noutput\n`;
  assert.equal(screen.text, text);
  assert.equal(await ask(question("Second? "), { person, signal: end.signal }), null);
  assert.equal(screen.text, text);
});

Deno.test("createScreen() drops what is too much to keep, and says so", async () => {
  const { holding, screen, write } = open();
  const part = "x".repeat(1024 * 1024);
  await holding(async () => {
    for (let count = 0; count < 9; count++) await write(part);
  });
  assert.equal(screen.text.match(/x+/)?.[0].length, 7 * part.length);
  assert.match(screen.text, /Warning: \d+ bytes of output were dropped: they came during/);
});

Deno.test("exec ends the colors of each output, and keeps plain ones alone", async (t) => {
  await using gateway = await openGateway();
  const { home, project: cwd, url, token } = gateway;
  const env = { TOOLSCRIPT_GATEWAY_URL: url, TOOLSCRIPT_TOKEN: token };
  const rows = [
    ["\x1b[31mred", "\x1b[31mred\n\x1b[0m"],
    ["\x1b[31mred\x1b[0m", "\x1b[31mred\x1b[0m\n"],
    ["\x1b[31mred\x1b[m", "\x1b[31mred\x1b[0m\n"],
    ["\x1b[1;8;38;5;8;48;2;1;2;3m.", "\x1b[1;38;5;8;48;2;1;2;3m.\n\x1b[0m"],
    ["\x1b[8m\x1b[5m\x1b[08m\x1b[38;8m\x1b[11m.", ".\n"],
    ["\x1b[8;;31m.", "\x1b[0;31m.\n\x1b[0m"],
  ] as const;
  for (const [text, output] of rows) {
    await t.step(JSON.stringify(text), async () => {
      const code = `console.log(${JSON.stringify(text)})`;
      const { stdout } = await caught(["exec", "-e", code], { home, cwd, env, terminal: true });
      assert.equal(stdout, output);
    });
  }
});
