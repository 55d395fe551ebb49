/** A line that a person typed before a question was there does not answer it. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { atTerminal, type Typed } from "../support/terminal.ts";

const ASKS = "security: { ask: [file.write] }\n";
const QUESTION = "[N]o:";
const one = 'file.write(path="a.txt", text="a")';
const two = `${one}; file.write(path="b.txt", text="b")`;

async function written(
  args: readonly string[],
  typed: readonly Typed[],
  config = ASKS,
): Promise<{ files: readonly string[]; screen: string }> {
  const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "toolscript-typed-" }));
  const [home, project] = [join(root, "home"), join(root, "project")];
  try {
    await Deno.mkdir(home);
    await Deno.mkdir(join(project, ".onetool"), { recursive: true });
    await Deno.writeTextFile(join(project, ".onetool/onetool.yaml"), config);
    const env: Record<string, string> = args[0] === "trust" ? { TOOLSCRIPT_TRUST: "" } : {};
    const { screen } = await atTerminal(args, { home, cwd: project, env, typed });
    const names = await Array.fromAsync(Deno.readDir(project), ({ name }) => name);
    const state = await Array.fromAsync(Deno.readDir(join(home, ".onetool")), ({ name }) => name)
      .catch(() => []);
    const files = [...names, ...state].filter((name) => /^[ab]\.txt$|^trust\.json$/.test(name));
    return { files: files.sort(), screen };
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

Deno.test("the person's answers to questions count", async () => {
  const yes = { after: QUESTION, text: "y\n" };
  const { files, screen } = await written(["run", two], [yes, yes]);
  assert.deepEqual(files, ["a.txt", "b.txt"], screen);
});

Deno.test("what is typed before a question does not answer it", async (t) => {
  await t.step("a line", async () => {
    const { files, screen } = await written(["run", one], [
      { text: "y\ny\n" },
      { after: QUESTION, text: "n\n" },
    ]);
    assert.deepEqual(files, [], screen);
  });
  await t.step("the beginning of a line", async () => {
    const { files, screen } = await written(["run", one], [
      { text: "y" },
      { after: QUESTION, text: "\n" },
    ]);
    assert.deepEqual(files, [], screen);
  });
  await t.step("a further line of an answer", async () => {
    const { files, screen } = await written(["run", two], [
      { after: QUESTION, text: "y\ny\ny\n" },
      { after: QUESTION, text: "n\n" },
    ]);
    assert.deepEqual(files, [], screen);
  });
  await t.step("a question that was given up", async () => {
    const code = (name: string) =>
      `await tools.file.write({ path: ["${name}", "txt"].join("."), text: "" }).catch(() => {});`;
    const slow = `${code("a")} console.log("given up");
      await new Promise((resolve) => setTimeout(resolve, 5_000)); ${code("b")}`;
    const { files, screen } = await written([
      "exec",
      "-e",
      `import { tools } from "toolscript"; ${slow}`,
    ], [
      { after: QUESTION, text: "" },
      { after: "given up", text: "y\n" },
      { after: QUESTION, text: "n\n" },
    ], ASKS.replace(" }", ", ask_timeout: 1 }"));
    assert.deepEqual(files, [], screen);
    assert.match(screen, /given up[^]*Allow a call/);
  });
  await t.step("trust in a project", async () => {
    const { files, screen } = await written(["trust"], [
      { text: "y\n" },
      { after: "[y/N]", text: "n\n" },
    ], "servers: { a: { command: touch, args: [a.txt] } }\n");
    assert.deepEqual(files, [], screen);
  });
});
