/** Jobs in threads: each ends in time, whenever it computes. */

import { match, ok } from "node:assert/strict";
import { atRest } from "../../../support/processor.ts";

Deno.test({
  name: "a job that never ends is stopped, whether it computes at once or after loading",
  ignore: Deno.build.os !== "linux",
  async fn(t) {
    for (const kind of ["spin", "loadAndSpin"]) {
      await t.step(kind, async () => {
        const script = new URL("./endless_job.ts", import.meta.url);
        const { report, usedMs } = await atRest(script, kind);
        match(report, /^4, then .*took longer than 0.3 s/);
        ok(usedMs < 500, `${usedMs} ms of processor time in a second of rest`);
      });
    }
  },
});
