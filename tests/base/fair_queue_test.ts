import { deepEqual, equal } from "node:assert/strict";
import { FairQueue } from "#base";

function taken(queue: FairQueue<string>): string {
  const items: string[] = [];
  for (let item = queue.take(); item !== undefined; item = queue.take()) items.push(item);
  return items.join(" ");
}

Deno.test("FairQueue gives clients turns, in the order of their coming", () => {
  const queue = new FairQueue<string>();
  for (const item of ["a1", "a2", "a3", "b1", "c1", "b2"]) queue.push(item[0], item);
  equal(taken(queue), "a1 b1 c1 a2 b2 a3");
  equal(queue.isEmpty, true);
});

Deno.test("FairQueue serves a client that was just served behind the others", () => {
  const queue = new FairQueue<string>();
  queue.push("a", "a1");
  equal(queue.take(), "a1");
  for (const item of ["a2", "a3", "b1", "c1"]) queue.push(item[0], item);
  equal(taken(queue), "b1 a2 c1 a3");
});

Deno.test("FairQueue takes no client for one, and is cleared", () => {
  const queue = new FairQueue<string>();
  queue.push(undefined, "1");
  queue.push(undefined, "2");
  queue.push("a", "a1");
  equal(queue.take(), "1");
  deepEqual(queue.clear(), ["a1", "2"]);
  equal(queue.take(), undefined);
});

Deno.test("FairQueue passes over clients that may not have a turn, and removes items", () => {
  const queue = new FairQueue<string>();
  for (const item of ["a1", "a2", "b1", "b2", "c1"]) queue.push(item[0], item);
  equal(queue.take((client) => client !== "a"), "b1");
  queue.remove("c", "c1");
  queue.remove("c", "c1");
  queue.remove("b", "b1");
  equal(queue.take((client) => client === "d"), undefined);
  equal(taken(queue), "a1 b2 a2");
});
