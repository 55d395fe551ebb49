import { deepEqual, doesNotMatch, equal } from "node:assert/strict";
import { join } from "node:path";
import { createLocalPack, createRegistry, type LocalTool, nameTools } from "#packs";
import { createHabits, createSearchEngine, toolItem } from "#runtime";

const SPECS = ["log_work", "get_stock", "send"].map((name) => ({
  name,
  description: "",
  inputSchema: { type: "object" },
}));

/** A registry with `ot.help` and a pack, whose calls the habits of a folder are told of. */
function open(cacheDir: string, { learns = true } = {}) {
  const tools = SPECS.map((spec): LocalTool => ({
    spec,
    call: () => Promise.resolve({ value: "secret" }),
  }));
  const help = { spec: { ...SPECS[0], name: "help", description: "", inputSchema: {} } };
  const packs = [
    createLocalPack("jobs", tools),
    createLocalPack("ot", [{ ...help, call: () => Promise.resolve({ value: "" }) }]),
  ];
  const registry = createRegistry(packs, { log: () => {} });
  let now = 0;
  const log = () => {};
  const habits = createHabits({ cacheDir, learns: () => learns, now: () => now, log });
  registry.observe(habits.witness);
  const call = (wire: string, args: unknown = {}, client = "a") =>
    registry.call(wire, args, { origin: { client } });
  return { habits, call, wait: (ms: number) => now += ms };
}

Deno.test("createHabits() knows what was called after a query", async () => {
  const cacheDir = await Deno.makeTempDir();
  try {
    const { habits, call, wait } = open(cacheDir);
    await call("ot__help", { query: "clock the hours" });
    await call("jobs__get_stock", {}, "another client");
    await call("jobs__log_work", { note: "confidential" });
    wait(11 * 60_000);
    await call("jobs__send");
    await call("ot__help", { query: "jobs.log_work" });
    await call("jobs__send");
    deepEqual([...habits.toolsAfter("hour of the clock")], [["jobs.log_work", 0.5]]);
    deepEqual([...habits.toolsAfter("clock in")], [["jobs.log_work", 0.5]]);
    deepEqual([...habits.toolsAfter("parcel hours")], [["jobs.log_work", 0.25]]);
    await habits[Symbol.asyncDispose]();

    const again = open(cacheDir);
    deepEqual([...again.habits.toolsAfter("hours")], [["jobs.log_work", 0.5]]);
    const file = join(cacheDir, "search", "queries.json");
    doesNotMatch(await Deno.readTextFile(file), /clock|hour|confidential|secret/);
    equal(((await Deno.stat(file)).mode ?? 0) & 0o777, 0o600);
  } finally {
    await Deno.remove(cacheDir, { recursive: true });
  }
});

Deno.test("createHabits() takes a damaged file as none, and learns nothing where it may not", async () => {
  const cacheDir = await Deno.makeTempDir();
  try {
    await Deno.mkdir(join(cacheDir, "search"), { mode: 0o700 });
    const file = join(cacheDir, "search", "queries.json");
    for (
      const text of ["{", "[]", '{"version":1,"words":[[1],["0123456789abcdef",[["a.b",-1]]]]}']
    ) {
      await Deno.writeTextFile(file, text, { mode: 0o600 });
      deepEqual([...open(cacheDir).habits.toolsAfter("hours")], []);
    }
    const { habits, call } = open(cacheDir, { learns: false });
    await call("ot__help", { query: "clock the hours" });
    await call("jobs__log_work");
    deepEqual([...habits.toolsAfter("clock")], []);
  } finally {
    await Deno.remove(cacheDir, { recursive: true });
  }
});

Deno.test("createSearchEngine() finds a tool by a query that it was called after", async () => {
  const { entries } = nameTools([{ name: "jobs", source: "local", tools: SPECS }]);
  const items = () =>
    entries.map((entry) => toolItem(entry, { name: entry.wire, description: "" }));
  const groups = [{ name: "jobs", context: "jobs", version: 1, items }];
  const engine = createSearchEngine();
  const find = async (favored?: ReadonlyMap<string, number>) =>
    (await engine.find("clock in", { groups, limit: 3, favored })).map(({ name }) => name);
  deepEqual(await find(), []);
  deepEqual(await find(new Map([["jobs.log_work", 0.5]])), ["jobs__log_work"]);
});
