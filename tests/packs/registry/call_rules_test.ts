import assert from "node:assert/strict";
import type { ToolEntry } from "#packs";
import { createCallRules } from "../../../packs/registry/rules/call_rules.ts";
import { compileWhen } from "../../../packs/registry/rules/when.ts";

const ENTRY = { pack: "shop", tool: "refund", effect: "write" } as ToolEntry;
const CALL = { args: {}, origin: undefined };

/** Rules of a project whose expressions take this long; counts their evaluations. */
function slowRules(ms: number, then: "blocked" | "allow") {
  let evaluations = 0;
  const when = () => {
    evaluations++;
    for (const start = performance.now(); performance.now() - start < ms;);
    return false;
  };
  const rules = createCallRules({
    rules: Array.from({ length: 1_000 }, () => ({ when, then })),
    project: "/p",
    serverOf: (pack) => pack,
    matches: () => true,
  });
  return { rules, evaluations: () => evaluations };
}

Deno.test("many slow rules hold no call up: those that have no time left ask", () => {
  for (const then of ["blocked", "allow"] as const) {
    const { rules, evaluations } = slowRules(4, then);
    assert.equal(rules.decide(ENTRY, CALL)?.level, "ask");
    assert.ok(evaluations() <= 26, String(evaluations()));
  }
});

Deno.test("many quick rules are all evaluated, and arguments that are too long by none", () => {
  const { rules, evaluations } = slowRules(0, "blocked");
  assert.equal(rules.decide(ENTRY, CALL), undefined);
  assert.equal(evaluations(), 1_000);
  for (const text of ["x".repeat(70_000), "€".repeat(30_000)]) {
    assert.equal(rules.decide(ENTRY, { ...CALL, args: { text } })?.level, "ask");
  }
  assert.equal(evaluations(), 1_000);
});

Deno.test("an expression whose texts grow is ended before it has filled the memory", () => {
  const stage = (text: string) => `.split('').join('${text}')`;
  const when = compileWhen(`args.text${stage("x".repeat(99)).repeat(5)}.size() < 1`);
  assert.ok(typeof when === "function");
  const about = { server: "s", client: "cli", project: "/p", effect: "read" as const };
  const facts = { args: { text: "x".repeat(60_000) }, tool: "shop.save", ...about };
  assert.throws(() => when(facts), /It took longer than 5 ms/);
});
