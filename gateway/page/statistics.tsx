/** Page of the statistics: the report of `toolscript stats`, for the moment. */

import { type Period, PERIODS, reportFragment } from "#runtime";
import { raw } from "hono/html";
import { HttpError, problemOf } from "../problem.ts";
import type { PageParts } from "./deps.ts";
import { LATER } from "./headers.ts";
import { framedWithLater } from "./views/layout.tsx";
import { Code, Empty } from "./views/parts.tsx";

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
        {statistics.enabled() ? raw(LATER) : (
          <Empty title="Statistics are off">
            Set <code>stats.enabled: true</code> in <code>onetool.yaml</code>.
          </Empty>
        )}
      </div>
    </>
  );
  const page = { title: "Statistics", section: "/stats", children };
  return await framedWithLater(frame(), page, async () => {
    try {
      return statistics.enabled() ? await reportFragment(await statistics.read({ period })) : "";
    } catch (error) {
      const { message } = problemOf(error, deps.log).error;
      return String(<Code label="Error" text={message} />);
    }
  });
}

function periodOf(name: string): Period {
  const period = PERIODS.find((period) => period === name);
  if (period) return period;
  throw new HttpError("bad_request", `There is no period "${name.slice(0, 40)}"`);
}
