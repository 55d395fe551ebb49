/** A program neither hides a question of the gateway nor puts another in its place. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { RESET } from "../../cli/terminal/escapes.ts";
import { atTerminal, type Typed } from "../support/terminal.ts";

const FORGED = "Allow a call of file.read?\\n[y]es, this tool for the [r]un, [N]o:";
/** Ends of lines, with those of colors behind them. */
// deno-lint-ignore no-control-regex
const ENDS = /\r?\n(?:\x1b\[0m)*/g;
const CALL = 'tools.file.write({ path: ["a", "txt"].join("."), text: "" })';

/** Runs a program and answers its question with a yes. Returns the screen. */
async function screenOf(
  program: string,
  { wait = [], behind }: { readonly wait?: readonly Typed[]; readonly behind?: string } = {},
): Promise<string> {
  const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "toolscript-forged-" }));
  const [home, cwd] = [join(root, "home"), join(root, "project")];
  try {
    await Deno.mkdir(home);
    await Deno.mkdir(join(cwd, ".onetool"), { recursive: true });
    await Deno.writeTextFile(
      join(cwd, ".onetool/onetool.yaml"),
      "security: { ask: [file.write] }\n",
    );
    const code = `import { tools } from "toolscript"; ${program}`;
    const typed = [{ after: "file.write", text: "" }, ...wait, { after: "", text: "y\n" }];
    const options = { home, cwd, typed, behind };
    const { code: exit, screen } = await atTerminal(["exec", "-e", code], options);
    assert.equal(exit, 0, screen);
    return screen;
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

Deno.test("colors of a program do not reach a question", async (t) => {
  const question = `\n${RESET}Allow a call of file.write`;
  for (const stream of ["log", "error"]) {
    for (const color of ["8", "30;40"]) {
      await t.step(`${color} by console.${stream}`, async () => {
        const write = `console.${stream}("${FORGED}\\x1b[${color}m")`;
        const screen = await screenOf(`${write}; await ${CALL};`);
        assert.ok(screen.replaceAll(ENDS, "\n").includes(question), screen);
        assert.ok(!screen.includes("\x1b[8m"));
      });
    }
  }
  await t.step("in a line without an end", async () => {
    const write = 'await Deno.stdout.write(new TextEncoder().encode("\\x1b[30;40mAllow"))';
    const screen = await screenOf(`${write}; await ${CALL};`);
    assert.ok(screen.replaceAll(ENDS, "\n").includes(question), screen);
  });
});

Deno.test("output of a program waits until its question is answered", async (t) => {
  // Each is a while without output: the program has written what it can before the answer.
  const wait = Array.from({ length: 4 }, () => ({ after: "", text: "" }));
  const ready = "await tools.file.list({})";
  const later = "await new Promise((resolve) => setTimeout(resolve, 1_500))";
  for (const stream of ["log", "error"]) {
    await t.step(`console.${stream}`, async () => {
      const write = `console.${stream}("\\n".repeat(60) + "${FORGED}")`;
      const screen = await screenOf(
        `${ready}; const call = ${CALL}; ${later}; ${write}; await call;`,
        { wait },
      );
      assert.match(screen, /file\.write[^]*?\[N\]o: y\r\n[^]*Allow a call of file\.read/);
    });
  }
});

Deno.test("sequences of a program reach no terminal by a pipe while a person can be asked", async (t) => {
  // The rows from the fifth to the sixth alone would be left to the question.
  const sequences = '"\\x1b[5;6r\\x9b5;6r\\x1b]0;title\\x07\\x1b[31mred\\0"';
  const program = `console.log(${sequences}); await ${CALL};`;
  await t.step("a pipe", async () => {
    const screen = await screenOf(program, { behind: "| cat" });
    const text = "\\u001b[5;6r\\u009b5;6r\\u001b]0;title\x07\x1b[31mred\0\r\n\x1b[0m";
    // The program behind the pipe may write beside the question.
    const [before, after, ...more] = screen.split(text);
    assert.deepEqual(more, [], screen);
    assert.ok(after !== undefined, screen);
    assert.ok(`${before}${after}`.startsWith(`${RESET}Allow a call of file.write`), screen);
  });
  await t.step("a file has them as they are", async () => {
    const screen = await screenOf(program, { behind: "> out; od -An -c out" });
    assert.match(screen, /033 {3}\[ {3}5 {3}; {3}6 {3}r/);
  });
});
