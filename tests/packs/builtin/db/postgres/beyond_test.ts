/** Names of functions in long texts. */

import assert from "node:assert/strict";
import { refuseBeyond } from "../../../../../packs/builtin/db/postgres/beyond.ts";
import { countTurns } from "../../../../support/turns.ts";

const MB = 2 ** 20;

/** Texts without a call, of which a pattern with several places to go back to makes much. */
const LONG: Record<string, string> = {
  "a name that goes on": "pg_stat_" + "_reset".repeat(MB),
  "a name that ends otherwise": "pg_rotate_logfile" + "_a".repeat(MB),
  "many names": "pg_stat_reset, ".repeat(MB / 2),
  "many words": "a(".repeat(2 * MB),
  "spaces behind a name": "pg_notify" + " ".repeat(4 * MB),
  "spaces behind many names": ("pg_notify" + " ".repeat(1_000)).repeat(4_000),
  "lines before many names": ("\n".repeat(1_000) + "pg_notify,").repeat(4_000),
  "dots before names": "pg_notify" + ".".repeat(4 * MB),
  "one word": "a".repeat(8 * MB),
  "quotes": '"'.repeat(8 * MB),
};

for (const [name, text] of Object.entries(LONG)) {
  Deno.test(`a text of ${name} is read in turns`, async () => {
    const { turns } = await countTurns(() => refuseBeyond([text]));
    if (/many/.test(name)) assert.notEqual(turns, 0);
    await assert.rejects(refuseBeyond([text, "SELECT pg_notify('a', 'b')"]), /pg_notify\(\) acts/);
  });
}

Deno.test("a plan of many lines is read in turns", async () => {
  const { turns } = await countTurns(() => refuseBeyond(Array(MB).fill("  Output: pg_notify")));
  assert.notEqual(turns, 0);
});

Deno.test("a call is found wherever it stands", async () => {
  for (let before = 0; before < 2_100; before += 7) {
    const text = `${"a ".repeat(before)}PG_Stat_Reset_Shared  /* a */('bgwriter')`;
    await assert.rejects(refuseBeyond([text]), /PG_Stat_Reset_Shared\(\) acts/);
  }
  for (const space of ["", " ", "\n\t".repeat(9_000), '"', '" ']) {
    await assert.rejects(refuseBeyond([`SELECT (pg_promote${space}(true))`]), { code: "blocked" });
  }
  const name = `pg_replication_origin_${"a".repeat(80)}`;
  await assert.rejects(refuseBeyond([`SELECT ${name}()`]), { code: "blocked" });
});

Deno.test("an attribute is a call, wherever it stands", async () => {
  for (
    const between of ["", " ", "\n\t", '"', '/**/"', "/* a /* b */ */", "--\n", "-- a\r ", '--a\n"']
  ) {
    for (const before of ["(1).", "(1) .", "(1)./**/", "t."]) {
      const text = `VALUES (false), (${before}${between}pg_cancel_backend)`;
      await assert.rejects(refuseBeyond([text]), /pg_cancel_backend\(\) acts/);
    }
  }
});

Deno.test("other names are no calls", async () => {
  for (
    const text of [
      "SELECT my_pg_notify('a')",
      "SELECT pg_notify2('a')",
      "SELECT pg_stat_get_reset_time(1)",
      "SELECT pg_notify, (1)",
      "SELECT pg_notify /",
      "SELECT pg_notify -1",
      "SELECT 'pg_notify'",
      "SELECT a.b AS pg_notify, 0.5 AS pg_promote",
      "SELECT a FROM b\nWHERE c IN (\n  'pg_notify',\n  'pg_promote'\n)",
      "",
    ]
  ) await refuseBeyond([text]);
});
