/** Names that a person or a program reads are `server.tool` (RUN-58, RUN-65). */

import assert from "node:assert/strict";
import { join } from "node:path";
import { openGateway } from "../support/gateway.ts";
import { fixture } from "../support/servers.ts";

Deno.test("names are dotted wherever a person or a program reads them", async (t) => {
  const { command, args } = fixture("good");
  await using gateway = await openGateway({
    servers: { "my__good": { command, args }, gone: { command: "no-such-command-anywhere" } },
    output: { max_inline_size: 300 },
  });
  await gateway.ready();
  const run = async (body: Record<string, unknown>) =>
    await (await gateway.post("/run", body)).json();

  await t.step("RUN-58 in the boundary", async () => {
    const { text } = await run({ command: "my__good.echo(a=1)", sanitize: true });
    assert.match(text, / from="my__good\.echo" /);
  });
  await t.step("RUN-65 in the file beside a stored result", async () => {
    const { text } = await run({ command: 'my__good.echo(a="x".repeat(2000))' });
    const { handle } = JSON.parse(text);
    const path = join(gateway.project, ".onetool", "tmp", `result-${handle}.meta.json`);
    assert.equal(JSON.parse(await Deno.readTextFile(path)).tool, "my__good.echo");
  });
  await t.step("in errors", async () => {
    const rows: [wire: string, tool: string][] = [
      ["my__good__fail", "my__good.fail"],
      ["my__good__none", "my__good.none"],
      ["gone__x", "gone.x"],
      ["none__x_y", "none.x_y"],
      ["none", "none"],
    ];
    for (const [wire, tool] of rows) {
      const { error } = await (await gateway.post(`/tools/${wire}`, {})).json();
      assert.equal(error.tool, tool);
      assert.ok(!error.message.includes(`${wire}"`) || wire === tool, error.message);
    }
    const { error } = await run({
      script: 'import { tools } from "toolscript"; await (tools as any).none.x_y({})',
    });
    assert.equal(error.tool, "none.x_y");
  });
  await t.step("in statistics", async () => {
    const { value } = await run({ command: "ot.stats()" });
    assert.doesNotMatch(JSON.stringify(value), /none__x|good__echo/);
  });
});
