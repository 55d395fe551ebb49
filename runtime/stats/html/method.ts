/** Explanation in the report of its figures. */

import { html as markup } from "hono/html";
import type { StatsData } from "../types.ts";
import type { Markup } from "./bars.ts";
import { duration, whole } from "./numbers.ts";

/** The method, with the figures that went into it. */
export function methodSection({ savings, tool }: StatsData): Markup {
  const { schemas, calls, runs, sessions, turns, turn_ms, overlap_ms, measured } = savings;
  return markup`<section class="method"><h2>How this is computed</h2>
<p>Every call is recorded with its time and the bytes of its arguments and its result, every run with
the bytes of its program and its reply. No argument, result or program is kept. Bytes become tokens by
the tokens per byte that a tokenizer (o200k) counted on texts of the same kind: this tool's results,
these definitions. ${
    whole(measured * 100)
  } % of the bytes below are of kinds that were counted here,
the rest stands at the average.</p>
${
    tool === null
      ? markup`<p><b>Context saved</b> = definitions of all tools that were not sent, once for
each of ${whole(sessions)} sessions (${
        whole(schemas)
      } tokens, less what was sent in their place), plus
the arguments and results of all calls inside runs (${whole(calls)}), less the programs and replies
(${
        whole(runs)
      }). Look-ups with <code>ot</code> count as cost alone. A session ends when its client is
silent for 30 minutes.</p>`
      : markup`<p><b>Context saved</b> = the arguments and results of this tool's
calls inside runs, less its share of those runs' programs and replies. Definitions of tools belong to no
one tool.</p>`
  }
<p><b>Time saved</b> = ${
    whole(turns)
  } turns that the agent did not take, because one run made several
calls, at ${
    duration(turn_ms)
  } each (the median time between a reply and the same client's next run),
plus ${duration(overlap_ms)} that calls ran side by side. Neither is ever less than nothing.</p>
</section>`;
}
