/** Turns of those that read: none holds up the others. */

import { deepEqual, equal, ok, rejects } from "node:assert/strict";
import { createProgramReader, type ProgramReader } from "#runtime";

const SORTED = "{% set y = range(9999) | join | list | sort | join %}";
const SLOW = {
  params: { x: {} },
  body: `{% for a in x %}{% for b in x %}${SORTED}{% endfor %}{% endfor %}`,
};
const PLAIN = { params: { x: {} }, body: "a.b(x={{ x }})" };
const X = "a".repeat(99);

/** A program that the worker has to read. */
function long(n: number) {
  return { kind: "command" as const, command: `${n} + ${"1 + ".repeat(200)}1` };
}

/** A program that no worker reads in time. */
const ENDLESS = { kind: "command" as const, command: `/*${" ".repeat(500)}*/${endless(38)}` };

function endless(levels: number): string {
  return levels === 0 ? "1" : `1 as({a=${endless(levels - 1)}})=>b`;
}

async function started(): Promise<ProgramReader> {
  const reader = createProgramReader();
  await reader.read(long(0));
  await reader.expand(PLAIN, { x: 1 });
  return reader;
}

Deno.test("a program that calls a slow snippet again and again holds up no other", async () => {
  await using reader = await started();
  const order: string[] = [];
  const note = (name: string) => () => void order.push(name);
  const hostile = { client: "hostile" };
  const slow = [1, 2].map((n) => reader.expand(SLOW, { x: X }, hostile).then(note(`slow ${n}`)));
  const others = [
    reader.read(long(1)).then(note("program")),
    reader.expand(PLAIN, { x: 2 }, { client: "other" }).then(note("snippet")),
  ];
  await Promise.all(others);
  ok(order.includes("program") && !order.includes("slow 2"), order.join());
  await Promise.all(slow);
});

Deno.test("what a run that has ended asked for is not read", async () => {
  await using reader = await started();
  const run = new AbortController();
  const turn = { client: "hostile", signal: run.signal };
  const first = reader.expand(SLOW, { x: X }, turn);
  const rest = Promise.allSettled(
    Array.from({ length: 100 }, () => reader.expand(SLOW, { x: X }, turn)),
  );
  await new Promise((resolve) => setTimeout(resolve, 10));
  run.abort();
  await rejects(first, /aborted/);
  equal((await reader.expand(PLAIN, { x: 3 }, { client: "hostile" })).kind, "expanded");
  equal((await rest).filter(({ status }) => status === "rejected").length, 100);
});

Deno.test("programs of one run that take long to read hold up no other", async () => {
  await using reader = await started();
  const order: string[] = [];
  const note = (name: string) => () => void order.push(name);
  const hostile = { client: "hostile" };
  const slow = [1, 2].map((n) => {
    const source = { ...ENDLESS, command: `${ENDLESS.command}//${n}` };
    return reader.read(source, hostile).then(note(`slow ${n}`));
  });
  await reader.read(long(2)).then(note("program"));
  deepEqual(order, ["slow 1", "program"]);
  await Promise.all(slow);
});

Deno.test("a reader that is closed rejects what waits in it", async () => {
  const reader = await started();
  const all = [
    ...[1, 2].map(() => reader.expand(SLOW, { x: X })),
    ...[3, 4].map((n) => reader.read({ ...ENDLESS, command: `${ENDLESS.command}//${n}` })),
  ].map((reading) => rejects(reading, { name: "TypeError" }));
  await reader[Symbol.asyncDispose]();
  await Promise.all(all);
});
