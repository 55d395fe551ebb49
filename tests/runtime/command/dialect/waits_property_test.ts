/** Random commands with tool calls in callbacks give what they give where tools are synchronous. */

import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { NameTable } from "../../../../runtime/command/names.ts";
import { wrapEntry } from "../../../../runtime/program/wrap.ts";
import { inTurn, together } from "../../../../runtime/types/lists.ts";
import { randomSource } from "../random.ts";
import { source } from "../read.ts";

const TABLE = new NameTable({
  packs: [{
    name: "shop",
    key: "shop",
    tools: [
      { name: "get", key: "get", params: ["id"], reads: true },
      { name: "list", key: "list", params: ["id"], reads: true },
      { name: "buy", key: "buy", params: ["id"] },
    ],
  }],
  aliases: {},
  snippets: {},
  projects: [],
});

type Tools = Record<string, (args: { id: number }) => unknown>;

/** Tools with a state; `get` fails for some numbers. */
function shop(log: string[]): Tools {
  let sold = 0;
  return {
    get({ id }) {
      if (id % 23 === 22) throw new Error(`no ${id}`);
      return { n: (id * 7) % 11, ok: id % 3 !== 0, id };
    },
    list: ({ id }) => Array.from({ length: Math.abs(id) % 4 }, (_, at) => id + at * 5),
    buy({ id }) {
      log.push(`buy ${id}`);
      if (id % 19 === 18) throw new Error(`cannot buy ${id}`);
      return { n: ++sold, ok: sold % 2 === 0, id };
    },
  };
}

/** The same tools as promises, which come in another order than they were asked for. */
function delayed(tools: Tools, random: (end: number) => number): Tools {
  return Object.fromEntries(
    Object.entries(tools).map(([name, tool]) => [name, async (args: { id: number }) => {
      const answer = attempt(() => tool(args));
      for (let turns = random(6); turns > 0; turns--) await Promise.resolve();
      if ("error" in answer) throw answer.error;
      return answer.value;
    }]),
  );
}

function attempt(run: () => unknown): { value: unknown } | { error: unknown } {
  try {
    return { value: run() };
  } catch (error) {
    return { error };
  }
}

/** Writes random commands; calls are written so that they are JavaScript too. */
class Writer {
  readonly #random: (end: number) => number;
  #names = 0;

  constructor(random: (end: number) => number) {
    this.#random = random;
  }

  command(): string {
    const lines = ["let total = 0;", "const seen = [];"];
    for (let at = 1 + this.#random(3); at > 0; at--) lines.push(this.#statement());
    return `${lines.join("\n")}\n({ total, seen, ${
      Array.from({ length: this.#names }, (_, at) => `v${at}`).filter((name) =>
        lines.some((line) => line.startsWith(`const ${name} `))
      ).join(", ")
    } });`;
  }

  #name(): string {
    return `v${this.#names++}`;
  }

  #statement(): string {
    const list = this.#list(2);
    switch (this.#random(6)) {
      case 0:
        return `${list}.forEach((x) => { total += ${this.#number("x", 1)}; seen.push(x); });`;
      case 1: {
        const name = `f${this.#random(1000)}_${this.#names}`;
        return `const ${name} = (x) => ${this.#number("x", 1)};\n` +
          `const ${this.#name()} = ${list}.map(${name});\n` +
          `const ${this.#name()} = ${name}(${this.#random(40)}) + 1;`;
      }
      case 2: {
        const name = `g${this.#random(1000)}_${this.#names}`;
        return `function ${name}(x) {\n  if (x > 30) return ${this.#number("x", 1)};\n` +
          `  try { return ${
            this.#number("x + 1", 1)
          }; } catch (error) { return error.message; }\n}\n` +
          `const ${this.#name()} = ${list}.map((y) => ${name}(y));`;
      }
      case 3:
        return `const ${this.#name()} = ${this.#number("4", 2)};`;
      default:
        return `const ${this.#name()} = ${list};`;
    }
  }

  /** A list of numbers. */
  #list(depth: number, item = "1"): string {
    const base = `[${Array.from({ length: this.#random(5) }, () => this.#random(45)).join(", ")}]`;
    if (depth === 0) return base;
    const inner = this.#random(3) === 0
      ? `shop.list({ id: ${item} })`
      : this.#list(depth - 1, item);
    switch (this.#random(6)) {
      case 0:
        return `${inner}.map((x) => ${this.#number("x", depth - 1)})`;
      case 1:
        return `${inner}.filter((x) => ${this.#truth("x", depth - 1)})`;
      case 2:
        return `${inner}.flatMap((x) => ${this.#list(depth - 1, "x")})`;
      case 3:
        return `${inner}.filter((x) => { const y = shop.get({ id: x }); return y.ok; })`;
      case 4:
        return `Array.from(${inner}, (x) => ${this.#number("x", depth - 1)})`;
      default:
        return inner;
    }
  }

  #truth(item: string, depth: number): string {
    switch (this.#random(4)) {
      case 0:
        return `shop.buy({ id: ${item} }).ok`;
      case 1:
        return `${this.#number(item, depth)} > 5`;
      case 2:
        return `${this.#list(depth, item)}.${this.#random(2) ? "some" : "every"}((y) => ` +
          `shop.get({ id: y }).ok)`;
      default:
        return `!shop.get({ id: ${item} }).ok`;
    }
  }

  #number(item: string, depth: number): string {
    if (depth <= 0 || this.#random(3) === 0) {
      return `shop.${this.#random(3) === 0 ? "buy" : "get"}({ id: ${item} }).n`;
    }
    const list = this.#list(depth, item);
    switch (this.#random(7)) {
      case 0:
        return `${list}.reduce((sum, y) => sum + ${this.#number("y", depth - 1)}, ${item})`;
      case 1:
        return `(${list}.find((y) => ${this.#truth("y", depth - 1)}) ?? -1)`;
      case 2:
        return `${list}.findIndex((y) => ${this.#truth("y", depth - 1)})`;
      case 3:
        return `(${this.#random(2) ? list : "undefined"})?.map((y) => ` +
          `${this.#number("y", depth - 1)}).length`;
      case 4:
        return `(${list}.findLast((y) => ${this.#truth("y", depth - 1)}) ?? -2)`;
      case 5:
        return `(() => { total += ${this.#number(item, depth - 1)}; return total; })()`;
      default:
        return `(${this.#truth(item, depth - 1)} ? ${this.#number(item, depth - 1)} : 0)`;
    }
  }
}

async function runAsCommand(text: string, random: (end: number) => number) {
  const read = source(text, TABLE);
  strictEqual(read.unknown, null, text);
  const { served } = wrapEntry(read.module, { prelude: read.prelude });
  const log: string[] = [];
  const tools = { shop: delayed(shop(log), random) };
  const program = (0, eval)(served)({ tools, inTurn, together });
  const outcome = await program(undefined).then(
    (value: unknown) => ({ value }),
    (error: Error) => ({ error: error.message }),
  );
  // What was still under way must neither go on buying nor fail unheard.
  await new Promise((resolve) => setTimeout(resolve, 0));
  return { ...outcome, log };
}

function runAsScript(text: string) {
  const log: string[] = [];
  const value = text.lastIndexOf("\n(");
  const body = `${text.slice(0, value)}\nreturn ${text.slice(value + 1)}`;
  const outcome = attempt(() => new Function("shop", body)(shop(log)));
  const observed = "error" in outcome ? { error: (outcome.error as Error).message } : outcome;
  return { ...observed, log };
}

Deno.test("a command with calls in callbacks gives what synchronous tools would give", async () => {
  const random = randomSource(7);
  let failed = 0;
  let bought = 0;
  for (let at = 0; at < 600; at++) {
    const text = new Writer(random).command();
    const expected = runAsScript(text);
    deepStrictEqual(await runAsCommand(text, random), expected, text);
    failed += "error" in expected ? 1 : 0;
    bought += expected.log.length;
  }
  // The commands are of all kinds: some fail, most do not, and many change something.
  strictEqual(failed > 30 && failed < 500 && bought > 200, true, `${failed} ${bought}`);
});
