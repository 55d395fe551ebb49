/** TSX: TypeScript, modules, await, errors, through `POST /run`. */

import assert from "node:assert/strict";
import { openGateway } from "../support/gateway.ts";

Deno.test("TSX-05 to TSX-09 a toolscript is TypeScript with top-level await", async (t) => {
  await using gateway = await openGateway();

  await t.step("TSX-05 TypeScript compilation", async () => {
    const reply = await gateway.run(`
interface Point { x: number; y: number }
enum Colour { Red, Green = 5 }
type Pair<T> = readonly [T, T];
function noted<T extends (...args: never[]) => unknown>(method: T, _: ClassMethodDecoratorContext): T { return method }
class Box<T> { constructor(private readonly value: T) {} @noted get(): T { return this.value } }
const pair = [{ x: 1, y: 2 }, { x: 3, y: 4 }] satisfies Pair<Point>;
function sum<T extends Point>(...points: readonly T[]): number {
  return points.reduce((total, { x, y }) => total + x + y, 0 as number);
}
({ sum: sum(...pair), colour: Colour.Green, box: new Box<string>("held").get()! })`);
    assert.deepEqual(reply.value, { sum: 10, colour: 5, box: "held" }, reply.text);
  });

  await t.step("TSX-06 type checking happens before execution", async () => {
    const script = 'console.log("executed");\nconst answer: number = "text";\nanswer;';
    const reply = await gateway.run(script, { file: "report.ts" });
    assert.equal(reply.ok, false);
    assert.equal(reply.error?.code, "type_error");
    assert.equal(reply.error?.line, 2);
    assert.equal(reply.error?.column, 7);
    assert.equal(reply.error?.file, "report.ts");
    assert.equal(reply.error?.diagnostics?.[0]?.code, 2322);
    assert.match(reply.text, /^Type error at line 2: /);
    assert.match(reply.text, /const answer: number = "text";/);
    assert.equal(reply.stdout, "");
  });

  await t.step("TSX-06 a program that computes while it is checked has no effect", async () => {
    // Types that take the checker much longer than the program takes to come to its calls, and less than
    // its limit.
    const slow = (length: number) =>
      `type D = 0|1|2|3|4|5|6|7|8|9;
type P<A, B> = A extends D ? B extends D ? [A, B] : 0 : 0;
type R<T extends unknown[] = [], U = D> =
  T["length"] extends ${length} ? T : U extends D ? R<[...T, P<U, D>], U> : 0;
let slow: R | undefined;`;
    const script = (last: string, length: number) =>
      `import { tools } from "toolscript";
console.log("printed");
const folder = ${JSON.stringify(gateway.project)};
const body = JSON.stringify({ path: folder + "/made.txt", text: "over HTTP" });
const headers = { "content-type": "application/json" };
const url = Deno.env.get("TOOLSCRIPT_GATEWAY_URL") + "/tools/file__write";
await Promise.all([
  tools.file.write({ path: folder + "/also.txt", text: "over the pipe" }),
  fetch(url, { method: "POST", headers, body }).then((answer) => answer.json()),
]);
${slow(length)}
${last}`;
    const files = () => [...Deno.readDirSync(gateway.project)].map(({ name }) => name).sort();
    for await (const { type } of gateway.stream(script("const answer: number = 4;", 200))) {
      if (type !== "started") continue;
      await new Promise((resolve) => setTimeout(resolve, 200)); // it has come to its calls
      break; // who leaves cancels
    }
    await new Promise((resolve) => setTimeout(resolve, 1_500)); // its check passes meanwhile
    assert.deepEqual(files(), [".onetool"]);
    const wrong = await gateway.run(script("const answer: number = 'text';", 80));
    assert.equal(wrong.error?.code, "type_error", wrong.text);
    assert.deepEqual([wrong.stdout, wrong.calls], ["", 0]);
    assert.ok(wrong.timing.check > 100, `checked in ${wrong.timing.check} ms`);
    assert.deepEqual(files(), [".onetool"]);
    const right = await gateway.run(script("const answer: number = 5;", 80));
    assert.deepEqual([right.stdout, right.calls], ["printed\n", 2], right.text);
    assert.deepEqual(files(), [".onetool", "also.txt", "made.txt"]);
  });

  await t.step("TSX-06 checking is strict, but not about style", async () => {
    const lenient = await gateway.run(
      "function twice(x) { return x + x }\ntry { throw 1 } catch (e) { e.message }\nconst unused = 1;\ntwice(2)",
    );
    assert.equal(lenient.value, 4, lenient.text);
    const growing = await gateway.run(
      "const out = [];\nfor (const n of [1, 2]) out.push(n * 2);\nconst seen = {};\nseen['a'] = 1;\nout",
    );
    assert.deepEqual(growing.value, [2, 4], growing.text);
    const strict = await gateway.run("const found = [1].find((x) => x > 1);\nfound.toFixed()");
    assert.equal(strict.error?.code, "type_error");
  });

  await t.step("TSX-06 what a top-level return gives back is checked as well", async () => {
    const reply = await gateway.run(
      "const text: string = 'a';\nif (text) {\n  return text.toFixd();\n}\nreturn 1;",
    );
    assert.equal(reply.error?.code, "type_error", reply.text);
    assert.deepEqual([reply.error?.line, reply.error?.column], [3, 15]);
    assert.match(reply.text, /return text\.toFixd\(\);/);
  });

  await t.step("TSX-07 ES modules", async () => {
    const reply = await gateway.run(
      'import { shout, type Word } from "./lib/words.ts";\nconst word: Word = "hi";\nexport default shout(word);',
      {
        files: {
          "lib/words.ts":
            'import { MARK } from "./marks.ts";\nexport type Word = string;\nexport const shout = (word: Word) => word.toUpperCase() + MARK;',
          "lib/marks.ts": 'export const MARK: string = "!";',
        },
      },
    );
    assert.equal(reply.value, "HI!", reply.text);
  });

  await t.step("TSX-07 an import that resolves to no file is a type error", async () => {
    const reply = await gateway.run('import { a } from "./nowhere.ts";\na');
    assert.equal(reply.error?.code, "type_error");
    assert.equal(reply.error?.line, 1);
  });

  for (
    const specifier of [
      "npm:lodash",
      "jsr:@std/path",
      "node:fs",
      "node:child_process",
      "data:text/javascript,export default 1",
      "https://example.com/x.ts",
      "file:///etc/hosts",
      "/etc/hosts",
      "../outside.ts",
      "./.hidden/x.ts",
      "./data.json",
    ]
  ) {
    await t.step(`TSX-07 the import of ${specifier} is refused before the run`, async () => {
      for (const form of [`import * as x from`, `export * from`, `await import(`]) {
        const end = form.endsWith("(") ? ")" : "";
        const reply = await gateway.run(
          `console.log("executed");\n${form} ${JSON.stringify(specifier)}${end};`,
        );
        assert.equal(reply.error?.code, "blocked", `${form} ${reply.text}`);
        assert.equal(reply.error?.details.specifier, specifier);
        assert.equal(reply.error?.line, 2);
        assert.equal(reply.stdout, "");
      }
    });
  }

  await t.step("TSX-07 an import whose address is made at run time is refused", async () => {
    for (
      const specifier of ["file:///etc/hosts", "node:fs", "npm:lodash", "data:text/javascript,1"]
    ) {
      const reply = await gateway.run(
        `const address = ${JSON.stringify(specifier)}.slice();\nawait import(address)`,
      );
      assert.equal(reply.ok, false, specifier);
      assert.equal(reply.error?.code, "blocked", `${specifier}: ${reply.text}`);
    }
  });

  await t.step("TSX-08 top-level await", async () => {
    const reply = await gateway.run(
      "const value = await new Promise<number>((resolve) => setTimeout(() => resolve(7), 5));\nvalue * 6",
    );
    assert.equal(reply.value, 42);
  });

  await t.step("TSX-09 a promise is awaited", async () => {
    assert.equal((await gateway.run("Promise.resolve('done')")).value, "done");
    assert.equal((await gateway.run("export default Promise.resolve('done')")).value, "done");
    assert.equal((await gateway.run("return Promise.resolve('done')")).value, "done");
    const nested = await gateway.run("({ a: Promise.resolve(1), b: [Promise.resolve(2)] })");
    assert.deepEqual(nested.value, { a: 1, b: [2] });
  });
});

Deno.test("TSX-24 to TSX-27 errors speak of the author's own lines", async (t) => {
  await using gateway = await openGateway();

  await t.step("TSX-24 runtime error", async () => {
    const script = `function outer(items: string[]) {
  return inner(items);
}

function inner(items: string[]): string {
  if (items.length > 1) throw new RangeError("too many");
  return items[0] ?? "";
}

outer(["a", "b"]);`;
    const reply = await gateway.run(script, { file: "report.ts" });
    assert.equal(reply.ok, false);
    assert.equal(reply.error?.code, "thrown");
    assert.equal(reply.error?.name, "RangeError");
    assert.equal(reply.error?.message, "too many");
    assert.equal(reply.error?.line, 6);
    assert.equal(reply.error?.column, 31);
    const lines = [...(reply.error?.stack ?? "").matchAll(/\(report\.ts:(\d+):/g)].map(([, line]) =>
      line
    );
    assert.deepEqual(lines, ["6", "2", "10"]);
    assert.doesNotMatch(reply.error?.stack ?? "", /http:|loader|ext:/);
  });

  await t.step("TSX-25 syntax error", async () => {
    const reply = await gateway.run('console.log("executed");\nconst x = ;\n');
    assert.equal(reply.error?.code, "syntax_error");
    assert.equal(reply.error?.line, 2);
    assert.match(reply.text, /^Syntax error at line 2: /);
    assert.match(reply.text, /const x = ;\n.*\^/);
    assert.equal(reply.stdout, "");
  });

  await t.step("TSX-26 type error", async () => {
    const reply = await gateway.run(
      'import { tools } from "toolscript";\nconsole.log("executed");\ntools.nothing.here();',
    );
    assert.equal(reply.error?.code, "type_error");
    assert.equal(reply.error?.line, 3);
    assert.equal(reply.stdout, "");
  });

  await t.step("TSX-27 uncaught promise rejection", async () => {
    const reply = await gateway.run(
      'Promise.reject(new TypeError("nobody waits"));\nawait new Promise((resolve) => setTimeout(resolve, 1000));\n"fine"',
    );
    assert.equal(reply.ok, false);
    assert.equal(reply.error?.code, "thrown");
    assert.equal(reply.error?.name, "TypeError");
    assert.match(reply.text, /nobody waits/);
  });
});
