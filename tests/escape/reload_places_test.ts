/** Reloads, which a program may cause without a question, take nothing from other runs. */

import assert from "node:assert/strict";
import { openGateway, type TestGateway } from "../support/gateway.ts";

/** A text that is stored, and a search in it that takes a second, its time limit. */
const LARGE = 'import { tools } from "toolscript"; void tools; ' +
  'export default Array.from({ length: 4_000 }, () => "a".repeat(60) + "!").join("\\n");';

async function search(gateway: TestGateway, handle: string): Promise<number> {
  const code = `import { tools } from "toolscript"; const started = Date.now();
    const searches = Array.from({ length: 3 }, async (_, at) => {
      for (let n = 0; n < at; n++) await tools.ot.reload();
      await tools.ot.result({ handle: "${handle}", search: "(a+)+$" }).catch(() => {});
    });
    await Promise.all(searches);
    export default Date.now() - started;`;
  const reply = await gateway.run(code);
  assert.ok(reply.ok, reply.text);
  return Number(reply.value);
}

Deno.test("searches of one run wait for one another, whatever is loaded again", async () => {
  await using gateway = await openGateway();
  const { stored, text } = await gateway.run(LARGE);
  assert.ok(stored !== undefined, text.slice(0, 200));
  const ms = await search(gateway, stored);
  assert.ok(ms > 2_900, `${ms} ms`);
});

Deno.test("calls of a run to ot go on through the reloads of another", async () => {
  await using gateway = await openGateway({ snippets: { one: { body: "1" } } });
  const program = (call: string) =>
    `import { tools } from "toolscript";
    const until = Date.now() + 4_000;
    let calls = 0;
    await Promise.all(Array.from({ length: 16 }, async () => {
      while (Date.now() < until && calls++ < 900) await ${call};
    }));
    export default calls;`;
  const replies = await Promise.all(
    ["tools.ot.reload()", "tools.ot.version()", "tools.ot.health()", "tools.snippets.one()"]
      .map((call) => gateway.run(program(call))),
  );
  for (const { ok, text } of replies) assert.ok(ok, text);
});
