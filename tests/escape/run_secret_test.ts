/** The secret in a run's addresses stays in its process: whoever reads it in a reply or a log could
 * call tools in the run's name while it runs. */

import assert from "node:assert/strict";
import { conceal, SecretFilter } from "../../sandbox/process/secret_filter.ts";
import { createHost } from "../sandbox/host.ts";
import { openGateway } from "../support/gateway.ts";

const START =
  'export default async (nothing) => { const g = Deno.env.get("TOOLSCRIPT_GATEWAY_URL");\n';
const END = "\nreturn nothing; };";
const body = (text: string) => ({ "main.js": `${START}${text}${END}` });

const MODULES: Readonly<Record<string, Record<string, string>>> = {
  "a static import that is not there": { "main.js": `import "./none.js";\n${START}${END}` },
  "a static import above the program": { "main.js": `import "../x/y.js";\n${START}${END}` },
  "a dynamic import that is not there": body('await import("./none.js");'),
  "a dynamic import above the program": body('await import("../../other/none.js");'),
  "an import of the program's own host": body('await import(new URL("/r/x", g).href);'),
  "an import of a name that nothing exports": {
    "main.js": `import { none } from "./a.js";\n${START}none();${END}`,
    "a.js": "export const a = 1;",
  },
  "a syntax error": { "main.js": "export default async (nothing) => { let let = ; }" },
  "a syntax error in another module": { ...body('await import("./b.js");'), "b.js": "}{" },
  "an error in another module": { ...body('await import("./b.js");'), "b.js": "nope.nope();" },
  "a stack that is thrown": body("throw new Error(new Error('x').stack);"),
  "a stack that is no string of an error": body("throw { stack: new Error('x').stack, g };"),
  "a name": body("const e = new Error('x'); e.name = g; throw e;"),
  "a cause": body("throw new Error('x', { cause: new Error(g) });"),
  "a stack that is returned": body("return new Error('x').stack;"),
  "import.meta.url": body("return { a: [import.meta.url], [`${g}/x`]: 1 };"),
  "a large value": body("return import.meta.url.repeat(20_000);"),
  "a large message": body("throw new Error(`${import.meta.url} `.repeat(500));"),
  "a print of an error": body("console.log(new Error('x')); console.error(new Error('y'));"),
  "an error that is not awaited": body(
    "Promise.reject(new Error(g)); await new Promise((resolve) => setTimeout(resolve, 5_000));",
  ),
  "an error of a timer": body(
    "setTimeout(() => { throw new Error(g); }); await new Promise((resolve) => setTimeout(resolve, 5_000));",
  ),
  "a fetch that fails": body("await fetch(`${g}/nothing`.replace('http', 'nope'));"),
  "a denied call": body("await Deno.readTextFile(`/${g}`);"),
  "an error like a tool's": body(
    "throw Object.assign(new Error('x'), { [Symbol.for('toolscript.ToolError')]: true, code: g, tool: g, details: { g } });",
  ),
  "a print in pieces": body(
    "for (const char of `${g}/x\\n`) Deno.stdout.writeSync(new TextEncoder().encode(char));" +
      "for (const char of g) { console.error(char); await 0; }" +
      "const half = g.length - 10; await Deno.stderr.write(new TextEncoder().encode(g.slice(0, half)));" +
      "await new Promise((resolve) => setTimeout(resolve, 50));" +
      "await Deno.stderr.write(new TextEncoder().encode(g.slice(half)));",
  ),
  "a print around a call": body(
    "const t = await import('toolscript'); const half = g.length - 10; const e = new TextEncoder();" +
      "Deno.stdout.writeSync(e.encode(g.slice(0, half))); await t.tools.test.echo({});" +
      "Deno.stdout.writeSync(e.encode(g.slice(half) + '/program/'));",
  ),
  "a print before an exit": body("console.log(import.meta.url); console.error(g); Deno.exit(3);"),
};

Deno.test("no output of a process holds its run's secret", async (t) => {
  await using host = createHost();
  for (const [name, modules] of Object.entries(MODULES)) {
    await t.step(name, async () => {
      const { outcome, stdout, stderr, secret } = await host.run(modules);
      assert.equal(secret.length, 32);
      const whole = JSON.stringify(outcome) + stdout + stderr;
      assert.ok(!whole.includes(secret), whole.slice(0, 2_000));
      assert.ok(!whole.includes(secret.slice(0, 30)), whole.slice(0, 2_000));
    });
  }
  await t.step("of a program that is a function", async () => {
    const program = "console.log(new Error('x').stack); throw new Error(import.meta?.url);";
    const texts = [program, "console.log(new Error('x')); await import('../none.js');"];
    for (const text of texts) {
      const { outcome, stdout, stderr, secret } = await host.run(text);
      assert.ok(!(JSON.stringify(outcome) + stdout + stderr).includes(secret));
    }
  });
  await t.step(
    "the address that a program has is concealed unless the program prints it",
    async () => {
      const program = "const g = Deno.env.get('TOOLSCRIPT_GATEWAY_URL'); console.log(g); return g;";
      const { outcome, stdout, secret } = await host.run(program);
      const address = `${host.origin}/r/${secret}`;
      assert.deepEqual([outcome, stdout], [{ kind: "value", value: address }, `${address}\n`]);
    },
  );
  await t.step("other output stays unchanged", async () => {
    const text = "x".repeat(100_000);
    const { stdout } = await host.run(`console.log("${text}"); await Deno.stdout.write(
      new TextEncoder().encode("ä".repeat(5)))`);
    assert.equal(stdout, `${text}\n${"ä".repeat(5)}`);
  });
});

Deno.test("no reply and no event of a gateway holds a run's secret", async () => {
  await using gateway = await openGateway();
  const scripts = [
    'const name: string = "../../none.ts"; await import(name);',
    "console.log(new Error('x').stack); console.error(import.meta.url); return import.meta.url;",
    "const e: Error = new Error('x'); throw new Error(e.stack);",
  ];
  for (const script of scripts) {
    const reply = JSON.stringify(await gateway.run(script));
    const events = JSON.stringify(await Array.fromAsync(gateway.stream(script)));
    assert.doesNotMatch(reply + events, /\/r\/[\w-]{20,}/);
  }
});

Deno.test("SecretFilter takes the secret out wherever a piece ends", () => {
  const secret = "aaab-secret-of-a-run/";
  const text = `aaaa${secret}b${secret}${secret}runtime/x ${secret}run aaab-secret`;
  const rows = [
    [secret, {}, "aaaa…/b…/…/runtime/x …/run aaab-secret"],
    [secret, { unless: "runtime/" }, `aaaa…/b…/${secret}runtime/x …/run aaab-secret`],
    [secret.slice(0, -1), {}, "aaaa…/b…/…/runtime/x …/run aaab-secret"],
  ] as const;
  for (const [concealed, options, expected] of rows) {
    assert.equal(conceal(text, concealed, options), expected);
    for (let size = 1; size <= text.length; size++) {
      assert.equal(inPieces(text, size, new SecretFilter(concealed, options)), expected);
    }
  }
  const cut = inPieces(`${secret}run`, 100, new SecretFilter(secret, { unless: "runtime/" }));
  assert.equal(cut, "…/run");
});

function inPieces(text: string, size: number, filter: SecretFilter): string {
  const bytes = new TextEncoder().encode(text);
  const decoder = new TextDecoder();
  let output = "";
  for (let at = 0; at < bytes.length; at += size) {
    output += decoder.decode(filter.push(bytes.subarray(at, at + size)), { stream: true });
  }
  return output + decoder.decode(filter.end());
}
