/** A look at a database that runs may change: what a powerful role could do is no reading. */

import assert from "node:assert/strict";
import { join } from "node:path";
import type { RunReply } from "#runtime";
import { openGateway } from "../support/gateway.ts";
import { findPostgres } from "../support/postgres.ts";

const postgres = await findPostgres();
const reason = typeof postgres === "string" ? postgres : "";

Deno.test({
  name: `a look changes nothing by a role that may${reason && ` (skipped: ${reason})`}`,
  ignore: reason !== "",
  async fn(t) {
    if (typeof postgres === "string") return;
    await using server = await postgres.start();
    const { url } = server;
    const folder = await Deno.makeTempDir();
    await Deno.chmod(folder, 0o777);
    const file = join(folder, "evil");
    const connections = {
      owner: { url, write: true },
      root: { url, superuser: true },
      writer: { url: server.urlOf("writer"), write: true },
    };
    await using gateway = await openGateway({ packs: { db: { connections } } });
    const run = async (call: string, look: boolean): Promise<RunReply> => {
      const script = `import { tools } from "toolscript"; return await tools.db.${call};`;
      return await (await gateway.post("/run", { script, look })).json();
    };
    const query = (tool: string, sql: string, connection: string) =>
      `${tool}(${JSON.stringify({ sql, connection })})`;
    for (
      const sql of [
        "CREATE ROLE writer LOGIN PASSWORD 'writer'",
        "CREATE TABLE people (name text)",
        "GRANT ALL ON people TO writer",
        "SELECT lo_from_bytea(4711, 'evil')",
      ]
    ) {
      const { ok, text } = await run(query("execute", sql, "owner"), false);
      assert.ok(ok, text);
    }
    const write = `SELECT lo_export(4711, '${file}')`;
    for (const tool of ["query", "explain"]) {
      await t.step(`by ${tool}()`, async () => {
        const { ok, error } = await run(query(tool, write, "owner"), true);
        assert.equal(ok, false);
        assert.match(String(error?.message), /it is a superuser/);
        await assert.rejects(Deno.stat(file), Deno.errors.NotFound);
      });
    }
    await t.step("nor with lists and parameters around it", async () => {
      const nested = `query_to_xml('${write.replaceAll("'", "''")}', true, true, '')::text`;
      const { ok } = await run(query("query", `SELECT ${nested}`, "owner"), true);
      assert.equal(ok, false);
      await assert.rejects(Deno.stat(file), Deno.errors.NotFound);
    });
    await t.step("a look reads by other roles, and where superusers are accepted", async () => {
      for (const connection of ["writer", "root"]) {
        const { ok, text } = await run(query("query", "SELECT 1 AS one", connection), true);
        assert.ok(ok, text);
      }
      const catalog = await run('tables({connection: "owner"})', true);
      assert.ok(catalog.ok, catalog.text);
    });
    await t.step("a run may", async () => {
      const { ok, text } = await run(query("query", write, "owner"), false);
      assert.ok(ok, text);
      assert.ok((await Deno.stat(file)).isFile);
    });
    await Deno.remove(folder, { recursive: true });
  },
});
