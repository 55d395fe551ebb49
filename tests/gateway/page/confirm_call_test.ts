/** Calls that the form of a tool makes, where they have to be confirmed. */

import assert from "node:assert/strict";
import { openFolders } from "../../support/packs.ts";
import { openShop } from "../../support/shop.ts";
import { openSession } from "./browser_session.ts";

const DESK = `import { tools } from "toolscript";
/** Pays back. */
export const pay = async ({ id }: { id: number }): Promise<unknown> =>
  await tools.shop.refund({ id: id + 1 });
`;
const CONFIG = {
  security: { rules: [{ tool: "shop.refund", then: "ask", because: "Money < leaves" }] },
  snippets: {
    one: { params: { id: {} }, body: "shop.refund(id={{ id }} + 1)" },
    two: { params: { id: {} }, body: "shop.refund(id={{ id }} + 1)\nshop.refund(id={{ id }} + 2)" },
  },
};

/** Tools, and the calls that are confirmed one after the other, with their arguments. */
const ROWS: Readonly<Record<string, readonly string[]>> = {
  "shop__refund": ["7"],
  "snippets__one": ["8"],
  "snippets__two": ["8", "9"],
  "desk__pay": ["8"],
};

Deno.test("the page shows each call that its form has to confirm", async (t) => {
  await using folders = await openFolders({ project: { "desk/desk_tools.ts": DESK } });
  await using shop = await openShop(CONFIG, folders);
  const browser = await openSession(shop.gateway);
  for (const [wire, ids] of Object.entries(ROWS)) {
    await t.step(wire, async () => {
      const before = (await shop.writes()).length;
      let confirm: Record<string, string> = {};
      for (const [round, id] of ids.entries()) {
        const fields = { arguments: JSON.stringify({ id: 7 }), ...confirm };
        const html = await (await browser.submit(`/page/tools/${wire}`, fields)).text();
        assert.ok(html.includes("Arguments of shop.refund"), html);
        assert.ok(html.includes("Money &lt; leaves"), "the reason");
        const values = [...html.matchAll(/id&quot;: (\d+)/g)].map(([, value]) => value);
        assert.deepEqual(values, ids.slice(0, round + 1), `${wire}: ${id}`);
        confirm = { confirm: /name="confirm" value="([^"]+)"/.exec(html)?.[1] ?? "" };
      }
      const fields = { arguments: JSON.stringify({ id: 7 }), ...confirm };
      await (await browser.submit(`/page/tools/${wire}`, fields)).text();
      const writes = (await shop.writes()).slice(before);
      assert.deepEqual(new Set(writes), new Set(ids.map((id) => `refund {"id":${id}}`)));
    });
  }
});
