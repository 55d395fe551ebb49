/** What was called after a query is found by it, through the gateway. */

import assert from "node:assert/strict";
import { send } from "../support/commands.ts";
import { openGateway } from "../support/gateway.ts";
import { pinnedCommand } from "../support/servers.ts";

Deno.test("a tool that was called after a query is found by its words", async () => {
  await using gateway = await openGateway({ servers: { everything: pinnedCommand("everything") } });
  await gateway.ready();
  const find = async () => {
    const { results } = await (await gateway.fetch("/search?q=parrot+phrase")).json();
    return results.map(({ name }: { name: string }) => name);
  };
  assert.ok(!(await find()).includes("everything.echo"));
  await send(gateway, 'ot.help("parrot a phrase")');
  await send(gateway, 'everything.echo(message="hi")');
  assert.equal((await find())[0], "everything.echo");
  const help = await send(gateway, 'ot.help("parrot a phrase")');
  assert.match(help.text, /## everything\.echo/);
});
