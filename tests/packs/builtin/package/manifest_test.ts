/** Manifests that are made to take long, and requirements in all their forms. */

import { deepEqual, equal } from "node:assert/strict";
import { createJobWorkers } from "../../../../packs/jobs/workers.ts";
import type { Manifest, ManifestKind } from "../../../../packs/builtin/package/work/manifest.ts";

const module = new URL("../../../../packs/builtin/package/work/worker.ts", import.meta.url);

function reader() {
  const workers = createJobWorkers({ module, timeoutMs: 10_000 });
  const read = (source: string, kind?: ManifestKind) =>
    workers.run<Manifest>({ kind: "manifest", input: { source, kind } }, {
      what: "read the manifest",
      signal: new AbortController().signal,
      run: undefined,
    });
  return { workers, read };
}

const LONG = 900_000;

/** Each took hours, or for ever. */
const SLOW: readonly [name: string, text: string, kind?: ManifestKind][] = [
  ["blanks before what no requirement has", `a${" ".repeat(LONG)}@`, "requirements.txt"],
  ["blanks before extras", `a${" ".repeat(LONG)}[x]${" ".repeat(LONG)}(@`, "requirements.txt"],
  ["brackets without an end", `a${"[".repeat(LONG)}`, "requirements.txt"],
  ["comments before a line end of another kind", `a${" #".repeat(LONG)}\u2028`, "requirements.txt"],
  ["nothing but line ends", "\n".repeat(LONG)],
  ["line ends of another kind", "\r\u2028".repeat(LONG / 2)],
  ["blanks in a list", `[project]\ndependencies=["a${" ".repeat(LONG)}@"]`, "pyproject.toml"],
  [
    "blanks in a version",
    `[tool.poetry.dependencies]\na="${" ".repeat(LONG)}^${" ".repeat(LONG)}x"`,
    "pyproject.toml",
  ],
];

Deno.test("a manifest is read at once, whatever is in it", async (t) => {
  const { workers, read } = reader();
  await using _ = workers;
  for (const [name, text, kind] of SLOW) {
    await t.step(name, async () => {
      const { dependencies, skipped } = await read(text, kind);
      equal(dependencies.length + skipped.length, name.includes("line ends") ? 0 : 1);
    });
  }
});

Deno.test("a requirement has a name, and what it allows", async () => {
  const { workers, read } = reader();
  await using _ = workers;
  const rows = [
    ["a", "a", ""],
    ["  a-b.c  ", "a-b.c", ""],
    ["a>=1,<2", "a", ">=1,<2"],
    ["a (>=1)", "a", ">=1"],
    ["a[x, y] (>= 1 ) ; python_version > '3'", "a", ">= 1"],
    ["a [x]==1", "a", "==1"],
    ["a @ https://x/y", undefined],
    ["a (1) 2", undefined],
    ["a ((1))", undefined],
    ["./a", undefined],
  ] as const;
  for (const [text, name, range] of rows) {
    const { dependencies, skipped } = await read(text, "requirements.txt");
    const expected = name === undefined ? [] : [[name, range]];
    deepEqual(dependencies.map((one) => [one.name, one.range]), expected, text);
    equal(skipped.length, 1 - expected.length);
  }
});

Deno.test("a version of Poetry is converted with blanks around its mark", async () => {
  const { workers, read } = reader();
  await using _ = workers;
  const text = '[tool.poetry.dependencies]\na=" ^ 1.2 , * , ~1.2.3 , !=1.5 "';
  const { dependencies } = await read(text, "pyproject.toml");
  deepEqual(dependencies.map(({ range }) => range), [">=1.2,<2,>=1.2.3,<1.3,!=1.5"]);
});
