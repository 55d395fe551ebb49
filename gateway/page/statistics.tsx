/** Page of the statistics: the report of `toolscript stats`, for the moment. */

import { type Period, PERIODS, reportFragment } from "#runtime";
import { raw } from "hono/html";
import { HttpError } from "../problem.ts";
import type { PageParts } from "./deps.ts";
import { framed } from "./views/layout.tsx";
import { Empty } from "./views/parts.tsx";

const NAMES = {
  day: "24 hours",
  week: "7 days",
  month: "30 days",
  all: "All time",
} as const satisfies Record<Period, string>;

/** Responds with the report of a period. */
export async function statisticsPage(
  request: Request,
  { deps, frame }: PageParts,
): Promise<Response> {
  const period = periodOf(new URL(request.url).searchParams.get("period") ?? "week");
  const { statistics } = deps;
  const report = statistics.enabled()
    ? await reportFragment(await statistics.read({ period }))
    : undefined;
  const children = (
    <>
      <div class="title">
        <h1>Statistics</h1>
        <nav class="choice" aria-label="Period">
          {PERIODS.map((name) => (
            <a href={`/stats?period=${name}`} aria-current={name === period ? "true" : undefined}>
              {NAMES[name]}
            </a>
          ))}
        </nav>
      </div>
      <div class="report" data-live="report">
        {report === undefined
          ? (
            <Empty title="Statistics are off">
              Set <code>stats.enabled: true</code> in <code>onetool.yaml</code>.
            </Empty>
          )
          : raw(report)}
      </div>
    </>
  );
  return await framed(frame(), { title: "Statistics", section: "/stats", children });
}

function periodOf(name: string): Period {
  const period = PERIODS.find((period) => period === name);
  if (period) return period;
  throw new HttpError("bad_request", `There is no period "${name.slice(0, 40)}"`);
}
