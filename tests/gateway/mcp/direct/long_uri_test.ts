/** URIs and templates that take long to compare. */

import assert from "node:assert/strict";
import type { ServerPack } from "#packs";
import { listedOwner } from "../../../../gateway/mcp/direct/owners.ts";
import { countTurns } from "../../../support/turns.ts";

const server = { name: "one" } as ServerPack;

function templatesOf(ids: readonly string[]) {
  return new Map(ids.map((id) => [id, { server, id, entry: {} }]));
}

Deno.test("many templates are compared with a long URI in turns", async () => {
  const ids = Array.from({ length: 3_000 }, (_, at) => `f:${"{+a}zzzzzzzy".repeat(60)}${at}`);
  const catalogs = { resources: new Map(), resourceTemplates: templatesOf([...ids, "f:{+b}z"]) };
  const uri = `f:${"z".repeat(7_998)}`;
  const { result, turns } = await countTurns(() => listedOwner(uri, catalogs));
  assert.equal(result, server);
  assert.ok(turns > 2, `${turns} turns`);
});

Deno.test("a URI or a template of over 8,000 characters is compared by its whole text alone", async () => {
  const long = `f:${"z".repeat(7_999)}`;
  const resources = new Map([[long, { server, id: long, entry: {} }]]);
  const { resourceTemplates } = { resourceTemplates: templatesOf(["f:{+a}", `${long}{+a}`]) };
  assert.equal(await listedOwner(long, { resources, resourceTemplates }), server);
  assert.equal(await listedOwner(`${long}z`, { resources, resourceTemplates }), undefined);
});
