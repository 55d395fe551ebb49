/** A worker whose jobs may never end, or give much. */

import { serveJobs } from "../../../../packs/builtin/kit/job_protocol.ts";

function spin(): never {
  for (;;);
}

serveJobs({
  spin,
  lists: (count: number) => ({ lists: Array(count).fill([]), none: undefined }),
  loadAndSpin: () => Promise.resolve(() => spin()),
  loadAndAnswer: (input: number) => Promise.resolve(() => 2 * input),
});
