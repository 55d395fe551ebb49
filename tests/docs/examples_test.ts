/** Every example of the documentation is run, and shows what it says that it shows. */

import assert from "node:assert/strict";
import { load } from "js-yaml";
import { type Block, matchesExpected, readBlocks, wordValue } from "./blocks.ts";
import { provideUv } from "../support/uv.ts";
import { openStage, type Stage } from "./stage.ts";

const ROOT = new URL("../../", import.meta.url);
const OTHERS = ["README.md", "CONTRIBUTING.md", "plugin/skills/toolscript/SKILL.md"];
const EXPECTED = new Set(["text", "json"]);

await provideUv();

for (const page of [...OTHERS, ...pagesIn("docs")]) {
  Deno.test(`the examples of ${page} run`, async (t) => {
    const blocks = readBlocks(page, await Deno.readTextFile(new URL(page, ROOT)));
    const runnable = blocks.filter(({ reason }) => reason === undefined);
    if (runnable.length === 0) return;
    const text = runnable.map((block) => block.text).join("");
    await using stage = await openStage({ config: configOf(blocks), text });
    for (const [index, block] of runnable.entries()) {
      if (isExpected(block)) continue;
      const next = runnable[index + 1];
      const expected = next && isExpected(next) ? next : undefined;
      const ignore = !(await stage.has(wordValue(block, "needs")));
      const fn = () => runBlock(stage, block, expected);
      await t.step({ name: `line ${block.line}`, ignore, fn });
    }
  });
}

Deno.test("matchesShown() takes … for anything", () => {
  assert.ok(matchesExpected("a … c\n", "a b c\n"));
  assert.ok(matchesExpected("a\n…\nz\n", "a\nb\nc\nz\n"));
  assert.ok(matchesExpected("a\n…\n", "a\nb\n"));
  assert.ok(!matchesExpected("a … c\n", "a b d\n"));
  assert.ok(!matchesExpected("a\n", "a\nb\n"));
});

Deno.test("matchesShown() takes columns of any width, and no other blanks", () => {
  const expected = "TOOL   AVG     P95\na.b      1  …\n";
  assert.ok(matchesExpected(expected, "TOOL      AVG     P95\na.b         1  151 ms\n"));
  assert.ok(matchesExpected(expected, "TOOL  AVG  P95\na.b     1  76 ms\n"));
  assert.ok(!matchesExpected(expected, "TOOL AVG  P95\na.b     1  76 ms\n"));
  assert.ok(!matchesExpected(expected, "TOOL  AVG  P95\na.b     2  76 ms\n"));
  assert.ok(!matchesExpected("  a\n", "    a\n"));
  assert.ok(!matchesExpected("a b\n", "a  b\n"));
});

/** What a page adds to the configuration, for all of its examples: `yaml config apply`. */
function configOf(blocks: readonly Block[]): Record<string, unknown> {
  const applied = blocks.filter(({ words }) => words[0] === "config" && words[1] === "apply");
  return Object.assign({}, ...applied.map(({ text }) => load(text)));
}

/** The result of the block before it. */
function isExpected({ language, words }: Block): boolean {
  return EXPECTED.has(language) && words[0] === "shown";
}

async function runBlock(stage: Stage, block: Block, expected: Block | undefined): Promise<void> {
  const kind = `${block.language} ${block.words[0] ?? ""}`;
  if (kind === "ts run") return await runScript(stage, block, expected);
  if (kind === "sh run") return await runShell(stage, block, expected);
  if (kind === "text command") return await runCommand(stage, block, expected);
  if (kind === "ts file" || block.words[0]?.startsWith("file=")) {
    return await writeFile(stage, wordValue(block, "file") ?? "", block.text);
  }
  if (kind === "yaml config") {
    return assert.deepEqual(await stage.findings({ ".onetool/onetool.yaml": block.text }), []);
  }
  if (kind === "json config") {
    return assert.deepEqual(await stage.findings({ ".mcp.json": block.text }), []);
  }
  if (kind === "yaml secrets") {
    const config = 'servers: { a: { command: x, env: { K: "${secret:GITHUB_TOKEN}" } } }';
    const files = { ".onetool/onetool.yaml": config, ".onetool/secrets.yaml": block.text };
    return assert.deepEqual(await stage.findings(files), []);
  }
  assert.fail(
    `${block.page}:${block.line}: say how it is run, or "<!-- not run: why -->" before it`,
  );
}

/** A pack would be found within a second; here at once. */
async function writeFile(stage: Stage, path: string, text: string): Promise<void> {
  await stage.write(path, text);
  if (!path.startsWith(".onetool/tools/")) return;
  await (await stage.gateway.post("/run", { command: "ot.reload()" })).body?.cancel();
}

/** `ts run [file=NAME] [args=a,b] [fails]`: through the gateway, as `exec` does. */
async function runScript(stage: Stage, block: Block, expected: Block | undefined): Promise<void> {
  const file = wordValue(block, "file") ?? "example.ts";
  await stage.write(file, block.text);
  const { [file]: script = "", ...files } = await stage.modules();
  const reply = await stage.gateway.run(script, {
    file,
    files,
    cwd: stage.gateway.project,
    args: wordValue(block, "args")?.split(",") ?? [],
  });
  assert.equal(reply.ok, !block.words.includes("fails"), reply.text);
  assert.deepEqual(reply.warnings, []);
  if (expected?.language === "json") {
    return assert.deepEqual(reply.value, JSON.parse(expected.text));
  }
  if (!expected) return;
  const value = reply.value === undefined ? "" : `${JSON.stringify(reply.value)}\n`;
  const output = reply.stdout + (reply.ok ? value : reply.text);
  assert.ok(
    matchesExpected(expected.text, output),
    `the page shows\n${expected.text}not\n${output}`,
  );
}

/** `text command [format=F] [fails]`: as an agent sends it; what is shown is the reply's text. */
async function runCommand(stage: Stage, block: Block, expected: Block | undefined): Promise<void> {
  const format = wordValue(block, "format");
  const body = { command: block.text, ...(format === undefined ? {} : { format }) };
  const reply = await (await stage.gateway.post("/run", body)).json();
  assert.equal(reply.ok, !block.words.includes("fails"), JSON.stringify(reply));
  if (!expected) return;
  assert.ok(
    matchesExpected(expected.text, reply.text),
    `the page shows\n${expected.text}not\n${reply.text}`,
  );
}

/** `sh run [alone] [code=N] [needs=PROGRAM]`: as a person would type it; `alone` where no gateway
 * runs yet. */
async function runShell(stage: Stage, block: Block, expected: Block | undefined): Promise<void> {
  const { code, output } = await stage.shell(block.text, {
    isAlone: block.words.includes("alone"),
  });
  assert.equal(code, Number(wordValue(block, "code") ?? 0), output);
  if (!expected) return;
  assert.ok(
    matchesExpected(expected.text, output),
    `the page shows\n${expected.text}not\n${output}`,
  );
}

function pagesIn(folder: string): string[] {
  return [...Deno.readDirSync(new URL(folder, ROOT))].flatMap(({ name, isDirectory }) => {
    if (isDirectory) return pagesIn(`${folder}/${name}`);
    return name.endsWith(".md") ? [`${folder}/${name}`] : [];
  }).sort();
}
