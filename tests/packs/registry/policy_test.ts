import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { createPolicy, nameTools } from "#packs";
import { packOf } from "../../support/generated.ts";
import { compileNamePattern } from "../../../packs/registry/name_pattern.ts";

Deno.test("compileNamePattern() takes whole names", async (t) => {
  const rows: [string, string[], string[]][] = [
    ["*", ["", "a", "a.b", "\n"], []],
    ["a*", ["a", "ab", "a.b"], ["", "ba"]],
    ["*a", ["a", "ba"], ["ab"]],
    ["a*b*c", ["abc", "aXbYc", "abbcc"], ["acb", "ab"]],
    ["a?", ["ab", "a😀"], ["a", "abc"]],
    ["?", ["a", "."], ["", "ab"]],
    ["a**b", ["ab", "axb"], ["a"]],
    ["[ab]x", ["ax", "bx"], ["cx", "x"]],
    ["[!ab]x", ["cx"], ["ax"]],
    ["[a-c]x", ["ax", "bx", "cx"], ["dx", "-x"]],
    ["[]]x", ["]x"], ["x"]],
    ["[a", ["[a"], ["a"]],
    ["a.c", ["a.c"], ["abc", "A.c"]],
    ["(a|b)+$", ["(a|b)+$"], ["a"]],
    ["\\*", ["\\a", "\\"], ["*"]],
  ];
  for (const [pattern, yes, no] of rows) {
    await t.step(pattern, () => {
      const matches = compileNamePattern(pattern);
      for (const name of yes) ok(matches(name), name);
      for (const name of no) ok(!matches(name), name);
    });
  }
});

Deno.test("compileNamePattern() cannot be made to run for long", () => {
  const matches = compileNamePattern(`${"*a".repeat(50)}b`);
  const started = performance.now();
  strictEqual(matches("a".repeat(20_000)), false);
  ok(performance.now() - started < 60_000);
});

Deno.test("createPolicy() knows a tool by every spelling", async (t) => {
  const name = { pack: "git-hub", tool: "delete_repo" };
  const patterns = [
    "git-hub.delete_repo",
    "git-hub.delete_*",
    "git-hub.delete*",
    "git-hub.deleteRepo",
    "gitHub.deleteRepo",
    "git_hub.*",
    "*.delete-repo",
    "git-hub__delete_repo",
    "git-hub__*",
    "git-hub",
    "gitHub",
    "git*",
    "*",
    "*.*",
    " git-hub.* ",
  ];
  for (const pattern of patterns) {
    await t.step(pattern, () => {
      const decision = createPolicy({ ask: [pattern] }).decideTool(name);
      deepStrictEqual(decision, { level: "ask", pattern: pattern.trim() });
    });
  }
  for (const pattern of ["delete_repo", "git.*", "git-hub.delete_rep", "", " ", "hub.*"]) {
    await t.step(`not ${JSON.stringify(pattern)}`, () => {
      deepStrictEqual(createPolicy({ ask: [pattern] }).decideTool(name), { level: "allowed" });
    });
  }
  const written = createPolicy({ ask: ["github.delete_*"] });
  strictEqual(written.decideTool({ pack: "github", tool: "deleteRepo" }).level, "ask");
  strictEqual(written.decideTool({ pack: "github", tool: "undelete_repo" }).level, "allowed");
});

Deno.test("createPolicy() lets built-in lists speak of the platform alone", () => {
  const defaults = { blocked: ["os.exec*"], warned: ["fs.*", "fs"] };
  const policy = createPolicy({}, { defaults });
  strictEqual(policy.decide("os.execl").level, "blocked");
  strictEqual(policy.decideTool({ pack: "os", tool: "execute" }).level, "allowed");
  strictEqual(policy.decideTool({ pack: "fs", tool: "read_file" }).level, "allowed");
  strictEqual(policy.decideImport("node:fs/promises").pattern, "fs");
});

Deno.test("createPolicy() blocks before it asks, asks before it warns, warns before it allows", () => {
  const lists = { blocked: ["a.b*"], ask: ["a.bc*"], warned: ["a.*"], allow: ["*.*"] };
  const policy = createPolicy(lists);
  deepStrictEqual(
    ["bcd", "c", "d"].map((tool) => policy.decideTool({ pack: "a", tool }).level),
    ["blocked", "warned", "warned"],
  );
  deepStrictEqual(policy.decideTool({ pack: "z", tool: "a" }), {
    level: "allowed",
    pattern: "*.*",
  });
  const allowed = createPolicy({ allow: ["x"], ask: ["y"] }, { defaults: { ask: ["x", "y"] } });
  deepStrictEqual([allowed.decide("x").level, allowed.decide("y").level], ["allowed", "ask"]);
});

Deno.test("createPolicy() lets everything through where it is off", () => {
  const policy = createPolicy({ enabled: false, blocked: ["*", "*.*"] });
  const levels = [
    policy.decide("eval"),
    policy.decideImport("x"),
    policy.decideTool({ pack: "a", tool: "b" }),
  ];
  deepStrictEqual(levels, [{ level: "allowed" }, { level: "allowed" }, { level: "allowed" }]);
});

Deno.test("createPolicy() knows a tool by the names that code has for it", () => {
  const { entries } = nameTools([
    packOf("public", [{ name: "then" }]),
    packOf("s3", [{ name: "files/delete" }, { name: "files.delete" }]),
  ]);
  for (const entry of entries) {
    const name = `${entry.packKey}.${entry.toolKey}`;
    strictEqual(createPolicy({ ask: [name] }).decideTool(entry).level, "ask", name);
    const rules = [{ tool: name, then: "blocked" } as const];
    ok(createPolicy({}, { rules }).isBlocked(entry), name);
  }
  deepStrictEqual(entries.map(({ packKey, toolKey }) => `${packKey}.${toolKey}`), [
    "public_.then_",
    "s3.filesDelete",
    "s3.filesDelete_2",
  ]);
});
