import assert from "node:assert/strict";
import { docsUrl } from "../../../../runtime/ot/lookup/docs.ts";

Deno.test("OT-53 docsUrl() is that of OneTool for its packs alone, else what is configured", () => {
  const onetool = "https://onetool.beycom.online/reference/tools";
  const baseUrl = "https://docs.example/";
  const rows: [Parameters<typeof docsUrl>[0], string, string | undefined][] = [
    [{ packs: {} }, "brave", `${onetool}/brave-search/`],
    [{ packs: {} }, "file", `${onetool}/file/`],
    [{ packs: {} }, "shop", undefined],
    [{ packs: {} }, "constructor", undefined],
    [{ packs: { shop: "https://shop.example/help" } }, "shop", "https://shop.example/help"],
    [{ baseUrl, packs: {} }, "shop", "https://docs.example/shop/"],
    [{ baseUrl, packs: { shop: "the shop" } }, "shop", "https://docs.example/the%20shop/"],
    [{ baseUrl, packs: {} }, "web", "https://docs.example/web-fetch/"],
  ];
  for (const [place, pack, url] of rows) assert.equal(docsUrl(place, pack), url, pack);
});
