/** Large results of a real PostgreSQL. */

import assert from "node:assert/strict";
import type { JsonObject, JsonValue } from "#base";
import { createRegistry } from "#packs";
import { openBuiltin } from "../../../support/builtin.ts";
import { findPostgres } from "../../../support/postgres.ts";
import { countTurns } from "../../../support/turns.ts";

const postgres = await findPostgres();
const ignore = typeof postgres === "string";
const LISTS = "SELECT ('[' || repeat('[],', 10000000) || '[]]')::json AS a";
/** Characters of JSON that may be parsed at once. */
const PIECE = 262_144;

Deno.test({
  name: `large results of PostgreSQL${ignore ? ` (skipped: ${postgres})` : ""}`,
  ignore,
  async fn(t) {
    assert.ok(typeof postgres !== "string");
    await using server = await postgres.start();
    const connections = { owner: { url: server.url, write: true } };
    await using stage = await openBuiltin("db", { connections });
    await using registry = createRegistry([stage.pack], { log: () => {} });
    const call = async (tool: string, args: JsonObject) =>
      (await registry.call(`db__${tool}`, args, {})).value as JsonObject;
    const query = (sql: string) => call("query", { sql });

    const refused: Record<string, [string, RegExp]> = {
      "json of 30 MB": [LISTS, /result: it is larger than max_result_mb: select less/],
      "json of 12 MB": [LISTS.replace("10000000", "4000000"), /the first row.*max_result_mb/],
      "an array of 16 million": ["SELECT array_fill(1, ARRAY[16000000]) AS a", /max_result_mb/],
      "an array of a million": [
        "SELECT array_fill(1, ARRAY[1000000]) AS a",
        /column "a": its text is longer than 1 MB: select less of it, or cast it to text/,
      ],
      "an array of points": [
        "SELECT array_fill(point(0, 0), ARRAY[200000]) AS a",
        /column "a".*cast it to text/,
      ],
    };
    for (const [name, [sql, message]] of Object.entries(refused)) {
      await t.step(`query() refuses ${name} before it is parsed`, async () => {
        const { result, longest } = await withLongest(() =>
          Promise.allSettled([query(sql), query(sql)])
        );
        for (const outcome of result) {
          assert.equal(outcome.status, "rejected");
          assert.equal(outcome.reason.code, "too_large");
          assert.match(outcome.reason.message, message);
        }
        assert.ok(longest <= PIECE, `${longest} characters are parsed at once`);
      });
    }

    await t.step("query() reads what fits in pieces", async () => {
      const sql = LISTS.replace("10000000", "2500000");
      const cast = "SELECT array_fill(1, ARRAY[1000000])::text AS a";
      const wide = `SELECT ${Array(300).fill("repeat('x', 20000)").join(", ")}`;
      const many = `SELECT ${Array(1_600).fill("to_json(array_fill(1, ARRAY[2000]))").join(", ")}`;
      const { result, longest } = await withLongest(() =>
        countTurns(() => Promise.all([sql, cast, wide, many].map(query)))
      );
      const [lists, text, ...others] = result.result.map((value) => rowsOf(value)[0]);
      assert.equal((lists?.a as JsonValue[]).length, 2_500_001);
      assert.equal(String(text?.a).length, 2_000_001);
      assert.deepEqual(others.map((row) => Object.keys(row ?? {}).length), [300, 1_600]);
      assert.notEqual(result.turns, 0);
      assert.ok(longest <= PIECE, `${longest} characters are parsed at once`);
    });

    await t.step("a result of max_result_mb fits, whatever it takes on the way", async () => {
      const bytes = await query("SELECT decode(repeat('00', 6200000), 'hex') AS a");
      assert.equal((rowsOf(bytes)[0]?.a as { base64: string }).base64.length, 8_266_668);
      const signs = await query("SELECT repeat('\u4e00', 8300000) AS a");
      assert.equal(String(rowsOf(signs)[0]?.a).length, 8_300_000);
    });

    await t.step("more queries at once than the server has places are answered", async () => {
      const sql = "SELECT repeat('x', 7000) AS a FROM generate_series(1, 300)";
      const all = await Promise.all(Array.from({ length: 60 }, () => query(sql)));
      assert.ok(all.every((value) => rowsOf(value).length === 300));
    });

    await t.step("a large result that comes slowly holds up none of another run", async () => {
      const ended = new AbortController();
      const tail = "CASE WHEN n > 10 THEN pg_sleep(600)::text END";
      const wide = "SELECT repeat('x', 130000) AS a";
      const slow = registry.call(
        "db__query",
        { sql: `${wide}, ${tail} FROM generate_series(1, 12) AS n` },
        { origin: { run: "r_a" }, signal: ended.signal },
      );
      const outcome = slow.then(() => "done", () => "ended");
      assert.equal(rowsOf(await query(`${wide} FROM generate_series(1, 20)`)).length, 20);
      ended.abort();
      assert.equal(await outcome, "ended");
    });

    await t.step("an error and its hint are cut", async () => {
      const cast = "SELECT ('x' || repeat('y', 1000000))::int";
      await assert.rejects(query(cast), ({ message }: Error) => {
        assert.match(message, /^Cannot run the statement: invalid input.*"xyyy/);
        assert.equal(message.length, "Cannot run the statement: ".length + 10_000);
        return true;
      });
      const raise = "DO $$ BEGIN RAISE 'wrong' USING HINT = repeat('h', 1000000); END $$";
      await assert.rejects(call("execute", { sql: raise }), ({ message }: Error) => {
        assert.match(message, /: wrong \(hhh+\)$/);
        assert.ok(message.length < 10_100);
        return true;
      });
    });

    await t.step("an error or a notice over 1 MB is not read", async () => {
      for (const kind of ["EXCEPTION", "NOTICE"]) {
        const raise = `DO $$ BEGIN RAISE ${kind} '%', repeat('y', 1100000); END $$`;
        await assert.rejects(call("execute", { sql: raise }), {
          code: "too_large",
          message: "Cannot take what the database said: its error or notice is over 1 MB",
        });
      }
    });

    await t.step("notices of 1 MB hold up no statement", async () => {
      const raise = "DO $$ BEGIN RAISE NOTICE '%', repeat('\u4e00', 340000); END $$";
      const statements = Array.from({ length: 5 }, () => ({ sql: raise }));
      const { results } = await call("execute", { statements });
      assert.equal((results as JsonValue[]).length, 5);
    });

    await t.step("an error that is cut shows no part of a password", async () => {
      for (let before = 0; before < "owner-".length; before++) {
        const text = `repeat('-', ${before}) || repeat('owner-', 5000)`;
        const raise = `DO $$ BEGIN RAISE '%', ${text}; END $$`;
        await assert.rejects(call("execute", { sql: raise }), ({ message }: Error) => {
          assert.match(message, /^Cannot run the statement: [-*]+$/);
          return true;
        });
      }
    });

    await t.step("rows before a large one are returned", async () => {
      const sql = "SELECT n, repeat('x', 3000000) AS x FROM generate_series(1, 100) AS n";
      const { rows, has_more } = await query(sql);
      assert.deepEqual([(rows as JsonValue[]).length, has_more], [2, true]);
    });

    await t.step("execute() makes a change whose rows do not fit", async () => {
      await call("execute", { sql: "CREATE TABLE large (n int, list int[])" });
      const insert = "INSERT INTO large (n) SELECT generate_series(1, 300) " +
        "RETURNING n, repeat('x', 50000) AS x";
      const { changed, results } = await call("execute", { sql: insert });
      assert.equal(changed, 300);
      const [result] = results as { rows: JsonValue[]; has_more: boolean }[];
      assert.deepEqual([result?.rows.length, result?.has_more], [167, true]);
      const list = "INSERT INTO large (list) VALUES (array_fill(1, ARRAY[1000000])) RETURNING list";
      await assert.rejects(call("execute", { sql: list }), /which is done.*cast it to text/);
      const statements = [{ sql: "DELETE FROM large" }, { sql: list }];
      await assert.rejects(call("execute", { statements }), /cast it to text/);
      assert.deepEqual(rowsOf(await query("SELECT count(*)::int AS n FROM large")), [{ n: 301 }]);
    });

    await t.step("explain() refuses a plan that does not fit", async () => {
      const sql = `SELECT WHERE now()::text = '${"x".repeat(9_000_000)}'`;
      await assert.rejects(call("explain", { sql }), /the plan.*max_result_mb/);
    });
  },
});

function rowsOf(value: JsonObject): JsonObject[] {
  return value.rows as JsonObject[];
}

/** Runs `work`; `longest` is the length of the longest text that was parsed as JSON at once. */
async function withLongest<T>(work: () => Promise<T>): Promise<{ result: T; longest: number }> {
  const { parse } = JSON;
  let longest = 0;
  JSON.parse = (text, reviver) => {
    longest = Math.max(longest, text.length);
    return parse(text, reviver);
  };
  try {
    return { result: await work(), longest };
  } finally {
    JSON.parse = parse;
  }
}
