/** Packs that do what they should not: everybody is answered, the others go on. */

import assert from "node:assert/strict";
import { createSemaphore } from "#base";
import { createLocalPack } from "#packs";
import { openPacks } from "./harness.ts";

const GOOD = { "good/good_tools.ts": "export const one = () => 1;\n" };

const RUDE = `
import { writeSync } from "node:fs";
const forged = '{"jsonrpc":"2.0","id":1,"result":"forged"}';
/** Prints in every way there is. */
export async function print(): Promise<string> {
  console.log(forged);
  console.info("\\n" + forged + "\\n");
  await Deno.stdout.write(new TextEncoder().encode(forged + "\\n"));
  Deno.stdout.writeSync(new TextEncoder().encode("half a line"));
  try { writeSync(1, forged + "\\nand another half"); } catch { /* not allowed here */ }
  return "answered";
}
export function flood(): string {
  const line = new TextEncoder().encode("x".repeat(1023) + "\\n");
  for (let n = 0; n < 20_000; n++) Deno.stderr.writeSync(line);
  return "flooded";
}
export function large(mb: number): string {
  return "x".repeat(mb * 2 ** 20);
}
export function hang(): never {
  for (;;) { /* for ever */ }
}
export function reject(): string {
  void Promise.reject(new Error("nobody waits for this"));
  return "went on";
}
export function cycle(): unknown {
  const a: Record<string, unknown> = {};
  a.self = a;
  return a;
}
export async function stdin(): Promise<number | null> {
  return await Deno.stdin.read(new Uint8Array(10));
}
`;

Deno.test("printed text is never read as an answer, and stdin is closed to the pack", async () => {
  await using packs = await openPacks({ project: { "rude/rude_tools.ts": RUDE } });
  const answers = await Promise.all(Array.from({ length: 5 }, () => packs.call("rude__print")));
  assert.deepEqual(answers, Array(5).fill("answered"));
  assert.equal(await packs.call("rude__stdin"), null);
  assert.equal(await packs.call("rude__reject"), "went on");
});

Deno.test("floods, 100 MB and cycles end in a clear error", async () => {
  await using packs = await openPacks({ project: { "rude/rude_tools.ts": RUDE } });
  assert.equal(await packs.call("rude__flood"), "flooded");
  await assert.rejects(packs.call("rude__large", { mb: 100 }), {
    code: "too_large",
    message: /The answer has 10\d MB, more than 16 MB/,
  });
  await assert.rejects(packs.call("rude__cycle"), { code: "tool_error", message: /circular/ });
});

const FAN = `
import { tools } from "toolscript";
export async function fan(): Promise<string[]> {
  const text = "x".repeat(2 ** 20);
  const wait = async () => {
    try {
      return await tools.gate.wait({ text });
    } catch (error) {
      await tools.gate.open({});
      return error.code;
    }
  };
  return await Promise.all(Array.from({ length: 80 }, wait));
}
`;

Deno.test("of the calls that a pack has open, only so many characters are kept", async () => {
  const gate = Promise.withResolvers<{ value: string }>();
  const open = () => gate.resolve({ value: "ok" });
  let waiting = 0;
  const calls = { wait: () => ++waiting === 80 && open(), open };
  const others = [createLocalPack(
    "gate",
    Object.entries(calls).map(([name, call]) => ({
      spec: { name, description: "", inputSchema: { type: "object" } },
      call() {
        call();
        return gate.promise;
      },
    })),
  )];
  await using packs = await openPacks({ project: { "fan/fan_tools.ts": FAN }, others });
  const outcomes = await packs.call("fan__fan") as string[];
  assert.deepEqual(outcomes.slice(0, 64), [...Array(63).fill("ok"), "too_large"]);
});

const DEAF = `
import { tools } from "toolscript";
export async function deaf(): Promise<number> {
  const calls = Array.from({ length: 40 }, () => tools.gate.large({}));
  await new Promise((resolve) => setTimeout(resolve, 50));
  for (const end = performance.now() + 1_500; performance.now() < end;) { /* reads nothing */ }
  return (await Promise.all(calls)).length;
}
`;

Deno.test("calls of a pack that does not read wait for it", async () => {
  const value = "x".repeat(2 ** 21);
  const starts: number[] = [];
  const spec = { name: "large", description: "", inputSchema: { type: "object" } };
  const places = createSemaphore(4, 4);
  const others = [createLocalPack("gate", [{
    spec,
    // As a run does it.
    async call(_, { readsOn }) {
      using _place = await places.acquire(undefined, undefined);
      await readsOn?.();
      starts.push(performance.now());
      return { value };
    },
  }])];
  await using packs = await openPacks({ project: { "deaf/deaf_tools.ts": DEAF }, others });
  assert.equal(await packs.call("deaf__deaf"), 40);
  const [first = 0] = starts;
  const early = starts.filter((start) => start < first + 1_000).length;
  assert.ok(early < 20, `${early} were made while the pack read nothing`);
});

Deno.test("a pack that hangs is replaced, and others are unharmed", async () => {
  await using packs = await openPacks({
    project: { "rude/rude_tools.ts": RUDE, ...GOOD },
    settings: { rude: { timeout: 3 } },
  });
  const hung = packs.call("rude__hang").catch((error) => error.code);
  assert.equal(await packs.call("good__one"), 1);
  assert.equal(await hung, "timeout");
  // Its process is replaced: the next call need not wait for the one that hangs.
  let answer: unknown;
  for (let tries = 0; tries < 100 && answer !== "went on"; tries++) {
    answer = await packs.call("rude__reject").catch(() => undefined);
  }
  assert.equal(answer, "went on");
});

Deno.test("a pack that cannot be loaded says where, and others are unharmed", async (t) => {
  await using packs = await openPacks({
    project: {
      ...GOOD,
      "broken/broken_tools.ts": "export const a = 1;\nexport function ( {\n",
      "throws/throws_tools.ts": "export const f = () => 1;\n\nthrow new RangeError('not today');\n",
      "empty/empty_tools.ts": "export const a = 1;\n",
    },
  });
  const rows = [
    ["broken", /broken_tools.ts:2: Syntax error/],
    ["throws", /throws_tools.ts:3: RangeError: not today/],
  ] as const;
  for (const [name, message] of rows) {
    await t.step(name, async () => {
      await assert.rejects(packs.call(`${name}__f`), { code: "unavailable" });
      const { state, error } = packs.pack(name).status();
      assert.deepEqual([state, error], ["disconnected", "cannot be loaded"]);
      assert.match(packs.pack(name).problem() ?? "", message);
    });
  }
  await t.step("empty", async () => {
    await packs.pack("empty").settle();
    assert.deepEqual(packs.pack("empty").tools(), []);
  });
  assert.equal(await packs.call("good__one"), 1);
});

Deno.test("a pack that is mended works again", async () => {
  await using packs = await openPacks({
    project: { "mend/mend_tools.ts": "export const f = () => 1;\nthrow new Error('no');\n" },
  });
  await assert.rejects(packs.call("mend__f"), {
    code: "unavailable",
    message: /cannot be loaded: Error: no \(line 2\)/,
  });
  await packs.write({ "mend/mend_tools.ts": "export const f = () => 2;\n" });
  assert.equal(await packs.call("mend__f"), 2);
  assert.equal(packs.pack("mend").status().state, "connected");
});

Deno.test("of two packs with one name the first counts, and the other is named", async () => {
  await using packs = await openPacks({
    project: {
      ...GOOD,
      "same/same_tools.ts": 'export const pack = "good";\nexport const two = () => 2;\n',
      "github/github_tools.ts": "export const x = () => 1;\n",
      "ot/ot_tools.ts": "export const x = () => 1;\n",
      "both/both_tools.ts": "export const x = () => 1;\n",
      "both/both_tools.py": "def y(): return 1\n",
    },
    servers: ["github"],
  });
  assert.equal(await packs.call("good__one"), 1);
  const messages = packs.findings.map(({ message }) => message).sort();
  assert.equal(messages.length, 4);
  assert.match(messages[0] ?? "", /"both": the name is that of .*both_tools.ts/);
  assert.match(messages[1] ?? "", /"github": the name is that of a server/);
  assert.match(messages[2] ?? "", /"good": the name is that of .*good_tools.ts/);
  assert.match(messages[3] ?? "", /"ot": the name is that of a pack that Toolscript needs/);
});
