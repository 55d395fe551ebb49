/** Jobs in threads: each ends in time, whenever it computes. */

import { deepStrictEqual, ok, rejects } from "node:assert/strict";
import { createJobWorkers } from "../../../packs/builtin/job_workers.ts";

const options = { what: "spin", signal: new AbortController().signal, timeoutMs: 300 };

/** Processor time of this process, its threads included, milliseconds. */
function used(): number {
  const fields = Deno.readTextFileSync("/proc/self/stat").split(") ")[1]?.split(" ") ?? [];
  return 10 * (Number(fields[11]) + Number(fields[12]));
}

Deno.test({
  name:
    "a job that never ends keeps no processor busy, whether it computes at once or after loading",
  ignore: Deno.build.os !== "linux",
  async fn(t) {
    for (const kind of ["spin", "loadAndSpin"]) {
      await t.step(kind, async () => {
        await using workers = createJobWorkers({
          module: new URL("./spinning_worker.ts", import.meta.url),
        });
        deepStrictEqual(await workers.run({ kind: "loadAndAnswer", input: 2 }, options), 4);
        await rejects(workers.run({ kind, input: null }, options), /took longer than 0.3 s/);
        await new Promise((resolve) => setTimeout(resolve, 500));
        const before = used();
        await new Promise((resolve) => setTimeout(resolve, 1_000));
        ok(used() - before < 500, `${used() - before} ms of processor time in a second of rest`);
      });
    }
  },
});
