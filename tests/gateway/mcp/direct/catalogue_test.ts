/** Sizes of lists that a server sends. */

import assert from "node:assert/strict";
import { type JsonObject, silent } from "#base";
import type { ServerPack } from "#packs";
import { createShortNames } from "../../../../gateway/mcp/direct/short_names.ts";
import { gather, type ListKind, LISTS } from "../../../../gateway/mcp/direct/catalogue.ts";

/** A server whose list has these pages. */
function serverOf(kind: ListKind, pages: readonly (readonly JsonObject[])[]): ServerPack {
  return {
    name: "large",
    capabilities: () => Promise.resolve({ [LISTS[kind].capability]: {} }),
    request(_method: string, { cursor = "0" }: { cursor?: string }) {
      const page = Number(cursor);
      const nextCursor = page + 1 < pages.length ? `${page + 1}` : undefined;
      return Promise.resolve({ [kind]: pages[page], nextCursor });
    },
  } as unknown as ServerPack;
}

const FILLS: Readonly<Record<string, (size: number) => JsonObject[string]>> = {
  "a long text": (size) => "x".repeat(size),
  "many lists": (size) => Array.from({ length: size / 3 }, () => []),
  "many keys": (size) =>
    Object.fromEntries(Array.from({ length: size / 12 }, (_, at) => [`key${at}`, 1])),
};

for (const kind of Object.keys(LISTS) as ListKind[]) {
  for (const [name, fill] of Object.entries(FILLS)) {
    Deno.test(`gather() bounds ${kind} of ${name}`, async () => {
      const entry = (at: number, size: number) => ({
        name: `n${at}`,
        [LISTS[kind].id]: `u:${at}`,
        description: fill(size),
      });
      const pages = [
        [entry(0, 10), entry(1, 600_000), entry(2, 10)],
        ...Array.from({ length: 60 }, (_, at) => [entry(at + 3, 120_000)]),
      ];
      const { signal } = new AbortController();
      const names = createShortNames(["large"]);
      const exchange = { exchange: { signal }, names, log: silent };
      const catalog = await gather([serverOf(kind, pages)], kind, exchange);
      const [first, second] = [...catalog.keys()];
      assert.equal(second, first?.replace("0", "2"));
      assert.ok(catalog.size > 20 && catalog.size < 45, `${catalog.size} entries`);
    });
  }
}
