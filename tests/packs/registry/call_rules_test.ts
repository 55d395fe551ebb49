import assert from "node:assert/strict";
import { createPace } from "#base";
import type { CallOrigin, ToolEntry } from "#packs";
import { createCallRules } from "../../../packs/registry/rules/call_rules.ts";
import { compileWhen } from "../../../packs/registry/rules/when.ts";

const ENTRY = { pack: "shop", tool: "refund", effect: "write" } as ToolEntry;
const inTurn = createPace();
const CALL = { args: {}, inTurn };

/** Rules of a project whose expressions take this long on the processor; counts their evaluations. */
function slowRules(ms: number, then: "blocked" | "allow") {
  let evaluations = 0;
  const when = () => {
    evaluations++;
    return false;
  };
  const rules = createCallRules({
    rules: Array.from({ length: 1_000 }, () => ({ when, then })),
    project: "/p",
    serverOf: (pack) => pack,
    matches: () => true,
    processor: () => evaluations * ms,
  });
  return { rules, evaluations: () => evaluations };
}

Deno.test("many slow rules hold no call up: those that have no time left ask", async () => {
  for (const [ms, most] of [[20, 25], [300, 2], [500, 1]] as const) {
    for (const then of ["blocked", "allow"] as const) {
      const { rules, evaluations } = slowRules(ms, then);
      assert.equal((await rules.decide(ENTRY, CALL))?.level, "ask");
      assert.equal(evaluations(), most);
    }
  }
});

Deno.test("many calls of one run have five seconds for expressions, then they ask", async () => {
  const { rules, evaluations } = slowRules(500, "blocked");
  const decide = (origin: CallOrigin) => rules.decide(ENTRY, { ...CALL, origin });
  const origin = { run: "r_1" };
  const decisions = await Promise.all(Array.from({ length: 200 }, () => decide(origin)));
  assert.deepEqual(new Set(decisions.map((decision) => decision?.level)), new Set(["ask"]));
  assert.equal(evaluations(), 10);
  await decide({ run: "r_2" });
  assert.equal(evaluations(), 11);
});

Deno.test("many quick rules are all evaluated, and arguments that are too long by none", async () => {
  const { rules, evaluations } = slowRules(0, "blocked");
  assert.equal(await rules.decide(ENTRY, CALL), undefined);
  assert.equal(evaluations(), 1_000);
  for (const text of ["x".repeat(70_000), "€".repeat(30_000)]) {
    assert.equal((await rules.decide(ENTRY, { ...CALL, args: { text } }))?.level, "ask");
  }
  assert.equal(evaluations(), 1_000);
});

Deno.test("an expression whose values grow is ended before it has filled the memory", () => {
  const about = { server: "s", client: "cli", project: "/p", effect: "read" as const };
  const args = { text: "x".repeat(60_000), list: Array.from({ length: 30_000 }, () => 1) };
  const stage = `.split('').join('${"x".repeat(32)}')`;
  const names = [..."abcdefgh"];
  const binds = names.map((name, at) => {
    const last = names[at - 1] ?? "args.list";
    return `cel.bind(${name}, ${last} + ${last} + ${last} + ${last}, `;
  });
  const lists = `${binds.join("")}h.size() < 1${")".repeat(binds.length)}`;
  for (const text of [`args.text${stage.repeat(5)}.size() < 1`, lists]) {
    const when = compileWhen(text);
    assert.ok(typeof when === "function");
    assert.throws(() => when({ args, tool: "shop.save", ...about }), /It took longer than 100 ms/);
  }
});

Deno.test("compileWhen() takes no function whose time arguments multiply", () => {
  const problem = (at: number, name: string) => {
    return { message: `"${name}" takes a text of at most 32 characters in quotes`, at };
  };
  assert.deepEqual(compileWhen("args.l.join(args.by) == ''"), problem(12, "join"));
  assert.deepEqual(compileWhen("args.l.exists(x, x.join('' + x) == '')"), problem(24, "join"));
  assert.deepEqual(compileWhen(`args.l.lastIndexOf('${"x".repeat(33)}') > 0`), {
    ...problem(19, "lastIndexOf"),
  });
  for (
    const text of [
      "args.l.join() == ''",
      "args.l.join(', ') == args.a",
      "args.b.lastIndexOf('.', 3) > 1",
    ]
  ) {
    assert.equal(typeof compileWhen(text), "function", text);
  }
});

Deno.test("an MCP client that calls itself cli or http is mcp to rules", async () => {
  const facts: string[] = [];
  const rules = createCallRules({
    rules: [{ tool: "shop.refund", then: "ask", when: ({ client }) => facts.push(client) === 0 }],
    project: "/p",
    serverOf: (pack) => pack,
    matches: () => true,
  });
  for (const client of ["cli", "http", "agent", undefined]) {
    for (const via of ["mcp", "http"] as const) {
      await rules.decide(ENTRY, { ...CALL, origin: { client, via } as CallOrigin });
    }
  }
  assert.deepEqual(facts, ["mcp", "cli", "mcp", "http", "agent", "http", "mcp", "http"]);
});
