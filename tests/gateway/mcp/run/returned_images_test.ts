import assert from "node:assert/strict";
import { openGateway } from "../../../support/gateway.ts";
import { pinnedCommand } from "../../../support/servers.ts";
import { newClient, overHttp, textOf } from "../clients.ts";

const IMAGE = "everything.getTinyImage()";

/** What a client gets, by the command; the tool sends text and a picture. */
const ROWS: { command: string; pictures: number; text: RegExp }[] = [
  { command: IMAGE, pictures: 1, text: /^Here's the image you requested/ },
  { command: `({ shot: ${IMAGE}, n: 1 })`, pictures: 1, text: /"n":1/ },
  { command: `shots = [${IMAGE}, ${IMAGE}]\nshots`, pictures: 2, text: /^\[/ },
  { command: `${IMAGE}\n"done"`, pictures: 0, text: /^done$/ },
  { command: `a = ${IMAGE}\nb = ${IMAGE}\na`, pictures: 1, text: /^Here's/ },
  { command: `__sanitize__ = true\n${IMAGE}`, pictures: 0, text: /^<external-content/ },
  { command: "everything.getSum(a=1, b=2)", pictures: 0, text: /3/ },
];

Deno.test("an image beside the text of a tool is returned with the value", async (t) => {
  await using gateway = await openGateway({
    servers: { everything: pinnedCommand("everything") },
  });
  await gateway.ready();
  await using connection = await overHttp(gateway, newClient("legacy"));
  for (const { command, pictures, text } of ROWS) {
    await t.step(command.replaceAll("\n", "; "), async () => {
      const result = await connection.client.callTool({ name: "run", arguments: { command } });
      const blocks = (result.content as { type: string; mimeType?: string }[])
        .filter(({ type }) => type === "image");
      assert.match(textOf(result), text);
      assert.equal(blocks.length, pictures);
      assert.ok(blocks.every(({ mimeType }) => mimeType === "image/png"));
    });
  }
  await t.step("over HTTP it is beside the value", async () => {
    const reply = await (await gateway.post("/run", { command: IMAGE })).json();
    assert.match(reply.value, /^Here's/);
    assert.deepEqual(reply.content.map(({ type }: { type: string }) => type), ["image"]);
    const called = await (await gateway.post("/tools/everything__get-tiny-image", {})).json();
    assert.ok(called.content.some(({ type }: { type: string }) => type === "image"));
  });
});
