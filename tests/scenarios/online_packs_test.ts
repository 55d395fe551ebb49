/** The packs that ask the internet, through a gateway: their types, their marks, and how those that
 * are off say so. */

import assert from "node:assert/strict";
import { withServer } from "../support/builtin_pack.ts";
import { openGateway } from "../support/gateway.ts";

Deno.test("an agent calls packs that use the internet", async (t) => {
  const versions = { "dist-tags": { latest: "2.0.0" }, versions: { "1.0.0": {}, "2.0.0": {} } };
  await withServer((_, path) => {
    if (path === "/npm/tea") return Response.json(versions);
    return new Response("<p>Green tea</p>", { headers: { "content-type": "text/html" } });
  }, async (origin) => {
    await using gateway = await openGateway({
      servers: {},
      packs: {
        web: { allow_private: ["127.0.0.1"] },
        package: { registries: { npm: `${origin}/npm` } },
        llm: { base_url: `${origin}/v1`, model: "tea-1" },
      },
      security: { sanitize: "external" },
    });
    const page = `web.fetch(url="${origin}/a")`;
    const marked = /^<external-content-\w{16,} from="web\.fetch"/;
    const rows: readonly [string, string, RegExp][] = [
      ["a page is typed", `(${page}).text.length.toFixed(1)`, /9\.0/],
      ["and marked", page, marked],
      ["its errors, too", `web.fetch(url="http://10.0.0.1/")`, /packs\.web\.allow_private/],
      [
        "a mistake is found",
        `web.fetch(uri="${origin}")`,
        /^Type error at line 1: [^]*expected: web/,
      ],
      [
        "a pack named by a reserved word",
        'found = package.latest(packages=["tea"])\n`${found[0].version} of ${package.versions(name="tea").length}`',
        /2\.0\.0 of 2/,
      ],
      ["nothing else is", "package = 1", /^Syntax error at line 1/],
      [
        "a pack that is off",
        'brave.web_search(query="x")',
        /"brave".*off: set packs\.brave\.api_key/,
      ],
      [
        "its help",
        'ot.help(query="brave")',
        /\nStatus: disabled: it is off: set packs\.brave\.api_key/,
      ],
      ["one that is on", 'ot.help(query="llm").match(/^llm\\./gm)?.length', /2/],
    ];
    for (const [name, command, expected] of rows) {
      await t.step(name, async () => {
        const reply = await (await gateway.post("/run", { command })).json();
        assert.match(reply.text, expected);
      });
    }
    await t.step("a call of one that is off", async () => {
      const response = await gateway.post("/tools/brave__web_search", { query: "x" });
      const { error } = await response.json();
      assert.equal(response.status, 503);
      assert.equal(error.code, "unavailable");
      assert.match(error.message, /"brave" cannot be used: it is off: set packs\.brave\.api_key/);
    });
  });
});
