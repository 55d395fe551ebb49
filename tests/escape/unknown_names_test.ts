/** Names that do not exist take little of the gateway, however many do. */

import { equal, ok, rejects } from "node:assert/strict";
import Fuse from "fuse.js";
import { silent } from "#base";
import { createLocalPack, createRegistry, type Registry } from "#packs";
import { nearest } from "#packs/nearest";
import { createSearchEngine, type SearchItem } from "#runtime";
import { countTurns, usedMs } from "../support/turns.ts";

function namesOf(count: number, length = 11): string[] {
  return Array.from({ length: count }, (_, at) => `t${at}`.padEnd(length, "a"));
}

function openMany(count: number): Registry {
  const tools = namesOf(count).map((name) => ({
    spec: { name, description: "", inputSchema: { type: "object" } },
    call: () => Promise.resolve({ value: null }),
  }));
  return createRegistry([createLocalPack("many", tools)], { log: silent });
}

/** Counts the comparisons that fuse.js makes during some work. */
function comparisons(work: () => void): number {
  const { match } = Fuse;
  let count = 0;
  Fuse.match = (...args) => (count++, match.apply(Fuse, args));
  try {
    work();
  } finally {
    Fuse.match = match;
  }
  return count;
}

Deno.test("of very many names few are compared, and the one that was meant is first", async (t) => {
  const reversed = (word: string) => [...word].reverse().join("");
  const rows: Record<string, [word: string, meant: string, names: string[]]> = {
    "alike": ["creat_isue", "create_issue", namesOf(40_000)],
    "short": ["gti", "git", namesOf(40_000).map((_, at) => `tgi_${at}`)],
    "long": ["z".repeat(99), `${"z".repeat(99)}y`, namesOf(2_000, 250).map((name) => `${name}z`)],
    "other letters of the same length": ["t12310q", "t12310", namesOf(40_000, 7).map(reversed)],
    "part of a longer one": ["issue", "github_list_issues", namesOf(40_000).map(() => "sues_i")],
  };
  for (const [name, [word, meant, names]] of Object.entries(rows)) {
    await t.step(name, () => {
      let available: readonly string[] = [];
      const count = comparisons(() => ({ available } = nearest(word, [...names, meant])));
      equal(available[0], meant);
      ok(count <= 8_000, `${count} comparisons`);
    });
  }
});

Deno.test("other work runs between calls of tools that do not exist", async (t) => {
  await using registry = openMany(40_000);
  const rows: Record<string, (at: number) => string> = {
    "misspelt": (at) => `many__t123${at}aaaaq`,
    "of the same letters": (at) => `many__aaaa321t${at}`,
    "part of all": (at) => `many__${"a".repeat(1 + at % 4)}`,
    "with the mark in it": (at) => `many__t1__${at}aaa`,
  };
  for (const [name, wireOf] of Object.entries(rows)) {
    await t.step(name, async () => {
      const options = { origin: { run: "hostile" } };
      const { turns } = await countTurns(() =>
        Promise.all(Array.from({ length: 15 }, async (_, at) => {
          await rejects(registry.call(wireOf(at), {}, options), { code: "unknown_tool" });
        }))
      );
      ok(turns > 3, `${turns} turns`);
    });
  }
});

Deno.test("what a run that has ended called is not looked for", async () => {
  await using registry = openMany(10);
  const signal = AbortSignal.abort();
  await rejects(registry.call("many__none", {}, { signal }), { code: "cancelled" });
});

Deno.test("a name that does not exist is not looked for among all", async () => {
  await using few = openMany(40);
  await using many = openMany(40_000);
  const timeOf = (registry: Registry) => {
    registry.nameOf("many__none");
    const before = usedMs();
    for (let at = 0; at < 1_000; at++) {
      equal(registry.nameOf(`many__t12_${at}`), `many.t12_${at}`);
    }
    return usedMs() - before;
  };
  const small = timeOf(few);
  const large = timeOf(many);
  ok(large < 50 * small + 50, `${large} ms, and ${small} ms of few`);
});

Deno.test("other work runs while misspelt words are looked for", async (t) => {
  const items = namesOf(20_000).map((own): SearchItem => ({
    kind: "tool",
    name: `many.${own}`,
    own,
    description: "",
    text: "",
    parameters: [],
    spellings: [own],
  }));
  const groups = [{ name: "many", context: "many", version: 1, items: () => items }];
  const engine = createSearchEngine();
  await engine.find("read", { groups, limit: 5 });
  const rows: Record<string, (at: number) => string> = {
    "a letter off": (at) => `t1111${at}aaaab`,
    "the same letters": (at) => `aaaaa${at}t11`,
    "a letter too many": (at) => `t22${at}aaaaxa`,
    "other letters": (at) => `t11${at}aazza`,
  };
  for (const [name, wordOf] of Object.entries(rows)) {
    await t.step(name, async () => {
      const query = Array.from({ length: 12 }, (_, at) => wordOf(at)).join(" ");
      const { turns } = await countTurns(() => engine.find(query, { groups, limit: 5 }));
      ok(turns > 6, `${turns} turns`);
    });
  }
});
