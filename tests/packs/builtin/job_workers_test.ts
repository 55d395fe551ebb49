/** Jobs in threads: each ends in time, whenever it computes. */

import { deepStrictEqual, ok, rejects } from "node:assert/strict";
import { createJobWorkers } from "../../../packs/builtin/job_workers.ts";
import { processorMs } from "../../support/processor.ts";

const options = { what: "spin", signal: new AbortController().signal, timeoutMs: 300 };

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
        const before = processorMs();
        await new Promise((resolve) => setTimeout(resolve, 1_000));
        const used = processorMs() - before;
        ok(used < 500, `${used} ms of processor time in a second of rest`);
      });
    }
  },
});
