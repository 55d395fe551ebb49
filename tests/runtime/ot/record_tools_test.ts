import { equal } from "node:assert/strict";
import { recordTools } from "../../../runtime/ot/record_tools.ts";

Deno.test("ot.stats reads once at a time for one run, and not for a run that has ended", async () => {
  const readings: PromiseWithResolvers<never>[] = [];
  const read = () => {
    const reading = Promise.withResolvers<never>();
    readings.push(reading);
    return reading.promise;
  };
  const statistics = { enabled: () => true, read };
  const [stats] = recordTools({ statistics, aliases: {} } as never);
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
