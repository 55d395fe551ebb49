import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { silent } from "#base";
import { type Checker, type CheckResult, createChecker } from "#runtime";

function start(): Checker {
  return createChecker({ deno: Deno.execPath(), log: silent });
}

function check(checker: Checker, text: string, signal?: AbortSignal): Promise<CheckResult> {
  return checker.check({ entry: "script.ts", files: new Map([["script.ts", text]]) }, { signal });
}

/** Unions that multiply, statement by statement: minutes of work in two kilobytes. */
function slowProgram(): string {
  const digits =
    "type D = 0|1|2|3|4|5|6|7|8|9;\ntype P<A, B> = A extends D ? B extends D ? [A, B] : 0 : 0;\n";
  return digits +
    Array.from(
      { length: 60 },
      (_, n) =>
        `type R${n}<T extends unknown[] = [], U = D> = T["length"] extends 900 ? [T, ${n}] : ` +
        `U extends D ? R${n}<[...T, P<U, D>], U> : 0;\nconst x${n}: R${n} = 1;`,
    ).join("\n");
}

Deno.test("createChecker() reads no file of the machine", async (t) => {
  const folder = await Deno.makeTempDir();
  const secret = "hunter2_s3cret";
  try {
    for (const name of ["s.ts", "s.d.ts", "s.json", "plain"]) {
      await Deno.writeTextFile(`${folder}/${name}`, `${secret}: !! ${secret} = "${secret}"`);
    }
    await Deno.mkdir(`${folder}/node_modules/@types/s`, { recursive: true });
    await Deno.writeTextFile(`${folder}/node_modules/@types/s/index.d.ts`, `${secret} ${secret}`);
    await using checker = start();
    const up = "../".repeat(20);
    const rows = [
      `import "${folder}/s.ts";`,
      `import x from "${folder}/s.json" with { type: "json" };\nx;`,
      `import type { x } from "${folder}/s.d.ts";\nlet y: x;`,
      `import * as x from "${up}${folder.slice(1)}/s.ts";\nx.nope;`,
      `import x from "file://${folder}/s.ts";\nx;`,
      `/// <reference path="${folder}/s.ts" />\n1`,
      `/// <reference path="${folder}/plain" />\n1`,
      `/// <reference types="${folder}/node_modules/@types/s" />\n1`,
      `/// <reference lib="${folder}/s" />\n1`,
      `/// <reference lib="../../../../../../../../../../../..${folder}/s" />\n1`,
      `type X = typeof import("${folder}/s.ts");\nlet x: X;\nx;`,
      `import x = require("${folder}/s.ts");\nx;`,
      `await import("${folder}/s.ts");`,
      `import "/etc/passwd";`,
      `declare module "${folder}/s.ts" { export const q: 1 }\nimport { q } from "${folder}/s.ts";\nq.z;`,
    ];
    for (const text of rows) {
      await t.step(text.replaceAll(folder, "…").slice(0, 60), async () => {
        const result = await check(checker, text);
        ok(result.kind !== "unchecked", JSON.stringify(result));
        const json = JSON.stringify(result);
        ok(!json.includes(secret) && !json.includes("root:"), json);
      });
    }
    strictEqual((await check(checker, "1")).kind, "passed");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("createChecker() gives up on a type that takes for ever, and checks the next", async () => {
  await using checker = start();
  strictEqual((await check(checker, "1")).kind, "passed");
  const slow = check(checker, slowProgram());
  const others = await Promise.all(["1", "2", "nope"].map((text) => check(checker, text)));
  deepStrictEqual(others.map(({ kind }) => kind), ["passed", "passed", "failed"]);
  const result = await slow;
  ok(result.kind === "unchecked", JSON.stringify(result).slice(0, 300));
  strictEqual((await check(checker, "3")).kind, "passed");
});

Deno.test("createChecker() lets nobody wait for the slow programs of others", async (t) => {
  const rows = {
    "of other clients": (at: number) => at,
    "of one client": () => "a",
    "of nobody": undefined,
  };
  for (const [name, clientAt] of Object.entries(rows)) {
    await t.step(name, async () => {
      await using checker = start();
      strictEqual((await check(checker, "1")).kind, "passed");
      let ended = 0;
      for (let at = 0; at < 8; at++) {
        const files = new Map([["script.ts", `${slowProgram()}\n${at}`]]);
        const slow = checker.check({ entry: "script.ts", files }, { client: clientAt?.(at) });
        void slow.then(() => ended++);
      }
      const quick = new Map([["script.ts", "nope"]]);
      const result = await checker.check({ entry: "script.ts", files: quick }, {
        client: clientAt && "b",
      });
      strictEqual(result.kind, "failed");
      ok(ended <= 2, `${ended} ended before it`);
      strictEqual((await check(checker, "2")).kind, "passed");
      ok(ended <= 2, `${ended} ended before the next`);
    });
  }
});

Deno.test("createChecker() begins again what it stopped", async () => {
  await using checker = start();
  // Some hundred milliseconds of work.
  const line = (at: number) => `const v${at}: { a: ${at} } = { a: ${at} };\n`;
  const long = Array.from({ length: 12_000 }, (_, at) => line(at)).join("");
  const texts = Array.from({ length: 6 }, (_, at) => `${long}nope${at};`);
  const results = await Promise.all(texts.map((text) => check(checker, text)));
  for (const [at, result] of results.entries()) {
    ok(result.kind === "failed", JSON.stringify(result));
    ok(result.diagnostics.some(({ message }) => message.includes(`nope${at}`)));
  }
});

Deno.test("createChecker() goes on after its process died", async () => {
  const script = fileURLToPath(new URL("./killed_checker.ts", import.meta.url));
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--quiet", "--no-check", script],
  }).output();
  const [text, errors] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  match(text ?? "", /^(?:unchecked|passed) passed\n$/, errors);
});

Deno.test("createChecker() stops waiting when it is cancelled", async () => {
  await using checker = start();
  const result = await check(checker, "1", AbortSignal.abort());
  deepStrictEqual(result, { kind: "unchecked", reason: "it was cancelled" });
  const cancel = new AbortController();
  const waiting = check(checker, "1", cancel.signal);
  cancel.abort();
  strictEqual((await waiting).kind, "unchecked");
  strictEqual((await check(checker, "1")).kind, "passed");
});

Deno.test("createChecker() answers many at once, each its own", async () => {
  await using checker = start();
  const results = await Promise.all(
    Array.from(
      { length: 40 },
      (_, n) => check(checker, n % 2 ? `${"\n".repeat(n)}nope${n}` : `${n}`),
    ),
  );
  for (const [n, result] of results.entries()) {
    if (n % 2 === 0) strictEqual(result.kind, "passed");
    else ok(result.kind === "failed" && result.diagnostics[0]?.line === n + 1);
  }
});

Deno.test("createChecker() leaves no process behind when its own is killed", async () => {
  const owner = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", import.meta.resolve("./owner.ts"), slowProgram()],
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const reader = owner.stdout.getReader();
  const { value } = await reader.read();
  const compilers = new TextDecoder().decode(value).trim().split(" ").map(Number);
  ok(compilers.length > 0 && compilers.every((pid) => pid > 0), String(compilers));
  owner.kill("SIGKILL");
  await owner.status;
  await reader.cancel();
  for (let tries = 0; tries < 1_200 && compilers.some(isAlive); tries++) {
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  deepStrictEqual(compilers.filter(isAlive), []);
});

function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(Deno.readTextFileSync(`/proc/${pid}/status`));
  } catch {
    // Gone.
    return false;
  }
}
