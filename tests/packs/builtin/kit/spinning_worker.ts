/** A worker whose jobs may never end. */

import { serveJobs } from "../../../../packs/builtin/kit/job_protocol.ts";

function spin(): never {
  for (;;);
}

serveJobs({
  spin,
  loadAndSpin: () => Promise.resolve(() => spin()),
  loadAndAnswer: (input: number) => Promise.resolve(() => 2 * input),
});
