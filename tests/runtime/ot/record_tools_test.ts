import { equal } from "node:assert/strict";
import { createOtPlaces } from "../../../runtime/ot/places.ts";
import { recordTools } from "../../../runtime/ot/record_tools.ts";

Deno.test("ot.stats reads once at a time for one run, and not for a run that has ended", async () => {
  const readings: PromiseWithResolvers<never>[] = [];
  const read = () => {
    const reading = Promise.withResolvers<never>();
    readings.push(reading);
    return reading.promise;
  };
  const statistics = { enabled: () => true, read };
  const [stats] = recordTools({ statistics, aliases: {}, places: createOtPlaces() } as never);
  const stop = new AbortController();
  const call = (run: string) =>
    stats?.call({}, { signal: stop.signal, origin: { run } }).catch(() => "left");
  const calls = Array.from({ length: 20 }, () => call("a"));
  const other = call("b");
  await new Promise((resolve) => setTimeout(resolve, 10));
  equal(readings.length, 2);
  stop.abort(new Error("the run has ended"));
  for (const one of calls.slice(1)) equal(await one, "left");
  for (const { reject } of readings) reject(new Error("given up"));
  equal(await calls[0], "left");
  equal(await other, "left");
  equal(readings.length, 2);
});

Deno.test("ot.stats has the same places in a pack that is made again", async () => {
  let readings = 0;
  const ended = Promise.withResolvers<never>();
  const read = () => {
    readings++;
    return ended.promise;
  };
  const deps = { statistics: { enabled: () => true, read }, aliases: {}, places: createOtPlaces() };
  const calls = ["a", "a", "b", "c", "d", "e"].map((run) => {
    const [stats] = recordTools(deps as never);
    return stats?.call({}, { origin: { run } }).catch(() => "given up");
  });
  await new Promise((resolve) => setTimeout(resolve, 10));
  equal(readings, 4);
  ended.reject(new Error("given up"));
  for (const call of calls) equal(await call, "given up");
  equal(readings, 6);
});
