/** Calls of one run that take all places of a pack: those of another run are answered beside them. */

import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import type { JsonObject } from "#base";
import { openBuiltin } from "../support/builtin.ts";

interface Stage {
  readonly project: string;
  /** Makes a call of another run. */
  call(tool: string, args: JsonObject, run?: string): Promise<JsonObject>;
  /** Makes calls of a run that take long. */
  flood(calls: readonly (readonly [tool: string, args: JsonObject])[], run?: string): void;
  /** Number of those that have ended. */
  ended(): number;
}

/** Runs `work` with a pack; the flood ends after it. */
async function withPack(
  name: string,
  settings: JsonObject,
  work: (stage: Stage) => Promise<void>,
): Promise<void> {
  await using opened = await openBuiltin(name, settings);
  const { pack, project } = opened;
  const end = new AbortController();
  const calls: Promise<unknown>[] = [];
  let ended = 0;
  const call = async (tool: string, args: JsonObject, run = "r_b") =>
    (await pack.call(tool, args, { origin: { run } })).value as JsonObject;
  try {
    await work({
      project,
      call,
      ended: () => ended,
      flood(all, run = "r_a") {
        const { signal } = end;
        for (const [tool, args] of all) {
          const made = pack.call(tool, args, { signal, origin: { run } });
          calls.push(made.catch(() => {}).finally(() => ended++));
        }
      },
    });
  } finally {
    end.abort();
    await Promise.all(calls);
  }
}

const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);

const SLOW_NAME = "a".repeat(240);
const SLOW_GLOB = ["*" + "a*".repeat(40) + "b"];
const SEARCHES: Readonly<Record<string, { slow: [string, JsonObject]; quick: Quick[] }>> = {
  file: {
    slow: ["search", { glob: SLOW_GLOB }],
    quick: [["search", { glob: ["*.md"] }], ["tree", { depth: 1 }], ["read", { path: "a.md" }]],
  },
  grep: {
    slow: ["names", { glob: SLOW_GLOB }],
    quick: [["names", { glob: ["*.md"] }], ["search", { pattern: "one", path: "a.md" }]],
  },
};
type Quick = [tool: string, args: JsonObject];

for (const [name, { slow, quick }] of Object.entries(SEARCHES)) {
  Deno.test(`slow searches of one run leave a process of ${name} to another`, () =>
    withPack(name, {}, async ({ project, call, flood, ended }) => {
      await Deno.writeTextFile(`${project}/a.md`, "one\n");
      await Deno.writeTextFile(`${project}/${SLOW_NAME}`, "");
      flood(times(12, slow));
      for (const [tool, args] of quick) {
        await call(tool, args);
        assert.equal(ended(), 0, tool);
      }
    }));
}

const LINES = 2_000_000;
const FILES = 20;
/** Calls of the flood that may end while one of another run waits for its turn. */
const FEW = 8;
const READS = eachFile((path): Quick => ["read", { path, offset: LINES - 10, limit: 1 }]);
const FLOODS: Readonly<Record<string, readonly Quick[]>> = {
  read: READS,
  edit: eachFile((path) => ["edit", { path, old: "none", new: "some" }]),
};
const CHANGES: readonly Quick[] = [
  ["write", { path: "new.txt", text: "x" }],
  ["append", { path: "small.txt", text: "x" }],
  ["edit", { path: "small.txt", old: "one", new: "two" }],
  ["write", { path: "middle.txt", text: "x".repeat(300_000) }],
  ["append", { path: "middle.txt", text: "x" }],
  ["read", { path: "middle.txt" }],
];

function eachFile<T>(make: (path: string) => T): T[] {
  return Array.from({ length: FILES }, (_, at) => make(`large${at}.txt`));
}

/** Makes a call when others about large files are under way. Returns how many end meanwhile. */
async function endedBeside(calls: readonly Quick[], [tool, args]: Quick): Promise<number> {
  let count = NaN;
  await withPack("file", { write: true, backup: false }, async (stage) => {
    const { project, call, flood, ended } = stage;
    const text = "\n".repeat(LINES);
    await Promise.all(eachFile((path) => Deno.writeTextFile(`${project}/${path}`, text)));
    await Deno.writeTextFile(`${project}/small.txt`, "one\n");
    await Deno.writeTextFile(`${project}/middle.txt`, "x".repeat(300_000));
    flood(calls);
    while (ended() === 0) await new Promise((resolve) => setTimeout(resolve, 0));
    const before = ended();
    await call(tool, args);
    count = ended() - before;
  });
  return count;
}

for (const [name, slow] of Object.entries(FLOODS)) {
  Deno.test(`work of one run on large files (${name}) holds up no other run`, async (t) => {
    for (const change of CHANGES) {
      await t.step(`${change[0]} ${change[1].path}`, async () => {
        const ended = await endedBeside(slow, change);
        assert.ok(ended <= FEW, `${ended} calls ended before`);
      });
    }
  });
}

Deno.test("a file that a run will change after much other work is free for another run", async () => {
  const calls: Quick[] = [...READS, ["append", { path: "middle.txt", text: "x" }]];
  const ended = await endedBeside(calls, ["write", { path: "middle.txt", text: "y" }]);
  assert.ok(ended <= FEW, `${ended} calls ended before`);
});

const ENDLESS = "WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) ";
const QUERY: Quick = ["query", { sql: `${ENDLESS}SELECT count(*) FROM n`, connection: "c0" }];
const insert = (connection: string): Quick => [
  "execute",
  { sql: `INSERT INTO t ${ENDLESS}SELECT count(*) FROM n`, connection },
];
const count = (connection: string): Quick => [
  "query",
  { sql: "SELECT count(*) AS n FROM t", connection },
];
const add = (connection: string): Quick => [
  "execute",
  { sql: "INSERT INTO t VALUES (1)", connection },
];

/** Runs `work` with five databases, `c0` to `c4`, whose statements end after `timeout` seconds. */
function withDatabases(timeout: number, work: (stage: Stage) => Promise<void>): Promise<void> {
  const names = [0, 1, 2, 3, 4].map((at) => `c${at}`);
  const connections = Object.fromEntries(
    names.map((name) => [name, { url: `sqlite:${name}.db`, write: true }]),
  );
  return withPack("db", { connections, timeout }, async (stage) => {
    for (const name of names) {
      using database = new DatabaseSync(`${stage.project}/${name}.db`);
      database.exec("CREATE TABLE t (x)");
    }
    await work(stage);
  });
}

Deno.test("queries of one run leave an SQLite file to others", () =>
  withDatabases(30, async ({ call, flood, ended }) => {
    flood(times(20, QUERY));
    await call(...count("c0"));
    await call("tables", { connection: "c0" });
    await call(...count("c0"), "r_c");
    await call(...add("c0"));
    assert.equal(ended(), 0);
  }));

Deno.test("a run waits for one query of two other runs at most", () =>
  withDatabases(5, async ({ call, flood, ended }) => {
    for (const run of ["r_a", "r_c"]) flood(times(5, QUERY), run);
    await call(...count("c0"));
    assert.ok(ended() <= 2, `${ended()} queries ended before`);
  }));

Deno.test("a run waits for one change of another at most, and each is whole or not there", () =>
  withDatabases(5, async ({ call, flood, ended }) => {
    flood(times(5, insert("c0")));
    await call(...count("c0"));
    assert.equal(ended(), 0);
    await call(...add("c0"));
    assert.equal(ended(), 1);
    assert.deepEqual((await call(...count("c0"))).rows, [{ n: 1 }]);
  }));

Deno.test("a change that waits for a process keeps its SQLite file from no other run", () =>
  withDatabases(30, async ({ call, flood, ended }) => {
    for (const connections of [["c0", "c1", "c2"], ["c3", "c4"]]) {
      flood(connections.map(insert));
      // By its end the others have begun, or wait.
      await call(...count("c4"));
    }
    for (const connection of ["c3", "c4"]) await call(...add(connection));
    assert.equal(ended(), 0);
  }));
