import assert from "node:assert/strict";
import { createSearchEngine, type SearchItem } from "#runtime";

function item(name: string, options: Partial<SearchItem> = {}): SearchItem {
  const own = name.slice(name.indexOf(".") + 1);
  const base = { kind: "tool" as const, name, own, description: "", text: "", parameters: [] };
  return { ...base, spellings: [name.toLowerCase()], ...options };
}

function group(context: string, items: readonly SearchItem[]) {
  return { name: context, context, version: items, items: () => items };
}

const GITHUB = group("github", [
  item("github.create_pull_request", { text: "Opens one. Also for drafts" }),
  item("github.list_pull_requests"),
  item("github.deleteRepository", { text: "Removes it for good" }),
  item("github.star", { parameters: ["repositoryOwner"], hints: ["stargazerCount"] }),
]);
const FILES = group("files", [
  item("files.nodepool", { text: "Ein schöner Ordner" }),
  item("files.__proto__"),
  item("files.constructor", { text: "x".repeat(1_000_000) }),
]);

const ROWS = [
  {
    name: "an exact name is 1",
    query: "GITHUB.create_pull_request",
    first: "github.create_pull_request",
  },
  { name: "initials of the trade", query: "new PR", first: "github.create_pull_request" },
  { name: "initials of a name", query: "lpr", first: "github.list_pull_requests" },
  { name: "another verb of its class", query: "trash a repo", first: "github.deleteRepository" },
  { name: "misspelt", query: "delte repositry", first: "github.deleteRepository" },
  { name: "camelCase as typed", query: "deleteRepository", first: "github.deleteRepository" },
  { name: "a parameter's name", query: "owner", first: "github.star" },
  { name: "a hint", query: "stargazers", first: "github.star" },
  { name: "two words for one", query: "node pool", first: "files.nodepool" },
  { name: "without accents", query: "schoner", first: "files.nodepool" },
  { name: "nothing but empty words", query: "what is it", first: undefined },
  { name: "nothing like it", query: "xyznonexistent", first: undefined },
  { name: "names of an object's own", query: "__proto__", first: "files.__proto__" },
  { name: "signs alone", query: "%$(*[", first: undefined },
  { name: "very long", query: "pull request ".repeat(10_000), first: "github.create_pull_request" },
];

Deno.test("createSearchEngine() finds", async (t) => {
  const engine = createSearchEngine();
  for (const { name, query, first } of ROWS) {
    await t.step(name, async () => {
      const hits = await engine.find(query, { groups: [GITHUB, FILES], limit: 5 });
      assert.equal(hits[0]?.name, first);
      assert.ok(hits.every(({ score }) => score > 0 && score <= 1));
      assert.deepEqual(hits, hits.toSorted((one, other) => other.score - one.score));
    });
  }
});

Deno.test("createSearchEngine() reads again only the group that changed", async () => {
  const engine = createSearchEngine();
  let reads = 0;
  const counted = (version: number) => ({
    name: "files",
    context: "files",
    version,
    items: () => (reads++, [item(`files.read_${version}`)]),
  });
  const find = async (groups: Parameters<typeof engine.find>[1]["groups"]) =>
    (await engine.find("read", { groups, limit: 1 })).map(({ name }) => name);
  assert.deepEqual(await find([counted(1), GITHUB]), ["files.read_1"]);
  assert.deepEqual(await find([GITHUB, counted(1)]), ["files.read_1"]);
  assert.equal(reads, 1);
  assert.deepEqual(await find([GITHUB, counted(2)]), ["files.read_2"]);
  assert.equal(reads, 2);
  assert.deepEqual(await find([GITHUB]), ["github.create_pull_request"]);
  const both = await Promise.all([find([counted(3)]), find([counted(3)])]);
  assert.deepEqual(both, [["files.read_3"], ["files.read_3"]]);
});
