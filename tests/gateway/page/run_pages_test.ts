/** Pages of runs: their filter, and one run with its calls and results. */

import assert from "node:assert/strict";
import { openShop } from "../../support/shop.ts";
import { openSession } from "./browser_session.ts";

Deno.test("pages of runs show what ran, by client, outcome and tool", async (t) => {
  await using shop = await openShop();
  const { gateway } = shop;
  const browser = await openSession(gateway);
  const page = async (path: string) => await (await browser.fetch(path)).text();
  const send = async (client: string, command: string): Promise<string> => {
    const response = await gateway.post("/run", { command }, { "user-agent": client });
    return (await response.json()).run;
  };
  const failed = await send("ana", 'console.log("before")\nthrow new Error("Oh no")');
  const noted = await send("ben", 'shop.note(text="n < 1")');
  const large = await send("ben", 'shop.note(text="x"); "y".repeat(200_000)');

  const rows: readonly (readonly [query: string, runs: readonly string[]])[] = [
    ["", [large, noted, failed]],
    ["?client=ana", [failed]],
    ["?outcome=failed", [failed]],
    ["?outcome=ok", [large, noted]],
    ["?tool=shop.note&client=ben", [large, noted]],
    ["?tool=shop.note&client=ana", []],
  ];
  for (const [query, runs] of rows) {
    await t.step(query || "all", async () => {
      const links = (await page(`/runs${query}`)).matchAll(/href="\/runs\/(r_[\w-]+)"/g);
      assert.deepEqual([...links].map(([, run]) => run), runs);
    });
  }
  await t.step("one that failed, with its program, output and error", async () => {
    const html = await page(`/runs/${failed}`);
    for (const text of ["console.log(&quot;before&quot;)", "Oh no", "Output"]) {
      assert.ok(html.includes(text), text);
    }
  });
  await t.step("one with its calls, their arguments and results", async () => {
    assert.match(
      await page(`/runs/${noted}`),
      /\d ms[^]*Arguments of shop\.note[^]*n &lt; 1[^]*Result of shop\.note[^]*noted/,
    );
  });
  await t.step("a large result is cut, with a link to the whole", async () => {
    const html = await page(`/runs/${large}`);
    assert.ok(html.length < 50_000);
    const [, link = ""] = /href="(\/results\/\w+)"/.exec(html) ?? [];
    const response = await browser.fetch(link);
    assert.match(response.headers.get("content-type") ?? "", /^text\/plain/);
    assert.equal((await response.text()).match(/y/g)?.length, 200_000);
  });
});

Deno.test("the page of a server lists its tools with signatures and effects", async () => {
  await using shop = await openShop();
  const browser = await openSession(shop.gateway);
  const html = await (await browser.fetch("/servers/shop")).text();
  assert.match(html, /shop\.list_orders\(\)[^]*Reads[^]*shop\.refund\(id: number[^]*Writes/);
  assert.match(html, /shop\.purge\(\)[^]*Destroys/);
  const matches = await (await browser.fetch("/tools?q=opens+a+ticket")).text();
  const { results } = await (await shop.gateway.fetch("/search?q=opens+a+ticket")).json();
  const names = results.map(({ name }: { name: string }) => name);
  const places = names.map((name: string) => matches.indexOf(`>${name}<`));
  assert.ok(!places.includes(-1) && names[0] === "shop.create_ticket", names.join());
  assert.deepEqual(places, places.toSorted((a: number, b: number) => a - b));
});
