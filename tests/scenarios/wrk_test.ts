/** WRK through the gateway: packs of this process, packs of the user's, and calls between them. */

import assert from "node:assert/strict";
import { until } from "../packs/worker/harness.ts";
import { openFolders, writePacks } from "../support/packs.ts";
import { openGateway } from "../support/gateway.ts";
import { provideUv } from "../support/uv.ts";

await provideUv();

const NOTES = `// /// script
// dependencies = ["dayjs@1.11.13"]
// ///
import dayjs from "dayjs";
import { progress, tools } from "toolscript";
/** The day after so many days.
 * @param start The first day
 * @param count How many
 */
export function later(start: string, count = 1): string {
  progress(1, 1, "counted");
  return dayjs(start).add(count, "day").format("YYYY-MM-DD");
}
export async function viaPython(numbers: number[]): Promise<number> {
  return await tools.sums.total({ numbers });
}
export async function forbidden(): Promise<unknown> {
  return await tools.sums.forbidden({});
}
export async function version(): Promise<string> {
  return await tools.ot.version();
}
export async function forever(): Promise<unknown> {
  return await tools.notes.forever({});
}
`;
const SUMS = `# /// script
# dependencies = ["humanize==4.9.0"]
# ///
import humanize

def total(numbers: list[float]) -> float:
    """Adds up."""
    return sum(numbers)

def words(number: int) -> str:
    """Groups digits."""
    return humanize.intcomma(number)

def forbidden() -> int:
    return 1
`;

Deno.test("WRK packs through the gateway", async (t) => {
  await using folders = await openFolders({
    project: {
      "notes/notes_tools.ts": NOTES,
      "sums/sums_tools.py": SUMS,
      "broken/broken_tools.ts": "export const one = () => 1;\nexport const two = ;\n",
    },
    home: { "notes/notes_tools.ts": "export const other = () => 1;\n" },
  });
  await using gateway = await openGateway({
    security: { blocked: ["sums.forbidden"] },
    sandbox: { calls: 20 },
  }, folders);
  await gateway.ready();
  const run = async (command: string) => await (await gateway.post("/run", { command })).json();
  const status = async () => (await (await gateway.fetch("/status")).json()).workers;

  await t.step("WRK-01 no process before the first call", async () => {
    assert.equal((await status()).notes.status, "idle");
  });

  await t.step(
    "WRK-10 WRK-11 WRK-13 the project's packs are offered, with names and types",
    async () => {
      const { text } = await run('notes.later("2026-01-30", count=3)');
      assert.equal(text, "2026-02-02");
      const refused = await run("notes.later(5)");
      assert.equal(refused.error.code, "type_error");
      assert.match(refused.text, /expected: notes.later\(start: string, count\?: number = 1\)/);
      assert.equal((await status()).notes.status, "connected");
    },
  );

  await t.step("WRK-05 dependencies of a Python pack are installed", async () => {
    assert.equal((await run("sums.words(1234567)")).text, "1,234,567");
  });

  await t.step("OT-05 OT-28 its source is local, whatever process it is in", async () => {
    const { value } = await run('[ot.tools("notes.later", info="full"), ot.packs("notes")]');
    assert.deepEqual(value.map((entry: { source: string }[]) => entry[0]?.source), [
      "local",
      "local",
    ]);
  });

  await t.step("RUN-47 abbreviated parameters of an extension", async () => {
    assert.equal((await run('notes.later(s="2026-01-30", c=1)')).text, "2026-01-31");
    assert.equal((await run("sums.words(n=1000)")).text, "1,000");
  });

  await t.step("calls between packs go through the registry", async () => {
    const reply = await run("notes.viaPython([1, 2, 3])");
    assert.deepEqual([reply.text, reply.calls], ["6", 2]);
    assert.equal((await run("notes.version()")).text, (await run("ot.version()")).text);
    const blocked = await run("notes.forbidden()");
    assert.match(blocked.text, /sums.forbidden/);
    assert.equal(blocked.ok, false);
    const forever = await run("notes.forever()");
    assert.equal(forever.ok, false);
    assert.match(forever.text, /already wait for one another|has made its 20 calls|call_limit/);
  });

  await t.step("a pack that cannot be loaded says where", async () => {
    const { ok, text } = await run("broken.one()");
    assert.equal(ok, false);
    assert.match(text, /^Cannot use the pack "broken": .*broken_tools.ts:2: Syntax error/);
    assert.deepEqual(await status().then(({ broken }) => broken), {
      status: "disconnected",
      tools: 0,
      error: "cannot be loaded",
    });
  });

  await t.step("progress is passed on", async () => {
    const script =
      'import { tools } from "toolscript"; await tools.notes.later({ start: "2026-01-01" });';
    const seen = await Array.fromAsync(gateway.stream(script));
    assert.ok(seen.some(({ type, message }) => type === "progress" && message === "counted"));
  });

  await t.step("WRK-07 WRK-12 packs that come along run in this process", async () => {
    const { value } = await run("ot.packs(info='list')");
    assert.ok(value.includes("text"), JSON.stringify(value));
    const workers = Object.keys(await status());
    assert.deepEqual(workers.sort(), ["broken", "notes", "sums"]);
    assert.equal((await run("text.hash('a', algorithm='sha256')")).ok, true);
  });

  await t.step("WRK-08 they see the registry, the configuration and the results", async () => {
    const { value } = await run("ot.tools(pack='sums')");
    assert.equal(value.length, 3);
    assert.ok((await run("ot.config()")).ok);
  });

  await t.step("WRK-09 their dependencies come with the program", async () => {
    const { imports } = JSON.parse(await Deno.readTextFile("import_map.json"));
    assert.ok(imports["smol-toml"]);
    for await (const text of sources("packs")) assert.doesNotMatch(text, /^\/\/ \/\/\/ script$/m);
  });

  await t.step(
    "new packs and changes are taken in, at once with a reload, soon without",
    async () => {
      await writePacks(folders.project, { "late/late_tools.ts": "export const two = () => 2;\n" });
      await until(async () => (await run("late.two()")).text === "2");
      await writePacks(folders.project, {
        "fresh/fresh_tools.ts": "export const one = () => 1;\n",
      });
      assert.equal((await run("ot.reload()")).ok, true);
      assert.equal((await run("fresh.one()")).text, "1");
      await writePacks(folders.project, {
        "fresh/fresh_tools.ts": "export const one = () => 2;\n",
      });
      assert.equal((await run("fresh.one()")).text, "2");
    },
  );
});

async function* sources(folder: string): AsyncGenerator<string> {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = `${folder}/${name}`;
    if (isDirectory) yield* sources(path);
    else if (name.endsWith(".ts")) yield await Deno.readTextFile(path);
  }
}
