/** Worker that looks for closed files. */

import { serveJobs } from "../../jobs/protocol.ts";
import { createLooks, type Looks, type LooksDeps } from "./looks.ts";
import { toPlain } from "./plain_rules.ts";
import type { ClosedSources } from "../rules.ts";

interface LookInput extends Pick<LooksDeps, "environment"> {
  readonly sources: ClosedSources;
}

let looks: Looks | undefined;

function looksWith({ environment }: LookInput): Looks {
  return looks ??= createLooks({ environment, now: Date.now });
}

serveJobs({
  async rules(input: LookInput) {
    const rules = toPlain(await looksWith(input).rules(input.sources));
    return () => rules;
  },
  async inodes(input: LookInput) {
    const inodes = await looksWith(input).inodes(input.sources);
    return () => inodes;
  },
});
