/** Pages of runs, and results that were stored whole. */

import type { Context } from "hono";
import { HttpError } from "../problem.ts";
import { param } from "../routes.ts";
import type { PageParts } from "./deps.ts";
import { HEADERS } from "./headers.ts";
import { framed } from "./views/layout.tsx";
import { Run } from "./views/run.tsx";
import { Runs } from "./views/runs.tsx";

const RUNS = 100;

/** Responds with the runs that the filter leaves. */
export function runsPage({ req }: Context, { deps, frame }: PageParts): Promise<Response> {
  const { journal, now } = deps;
  const query = (name: string) => req.query(name)?.trim() || undefined;
  const filter = { client: query("client"), outcome: query("outcome"), tool: query("tool") };
  const from = Number(query("from") ?? "0");
  const offset = Number.isSafeInteger(from) && from > 0 ? from : 0;
  const { runs, total } = journal.list(filter, { limit: RUNS, offset });
  const waiting = new Set(deps.inbox.list().map(({ run }) => run));
  const children = (
    <Runs
      runs={runs}
      total={total}
      filter={filter}
      offset={offset}
      waiting={waiting}
      now={now()}
      facets={journal.facets()}
    />
  );
  return framed(frame(), { title: "Runs", section: "/runs", children });
}

/** Responds with one run. */
export function runPage(context: Context, { deps, frame }: PageParts): Promise<Response> {
  const id = param(context, "id");
  const run = deps.journal.find(id);
  if (!run) {
    const state = "it has ended long ago, or never began";
    throw new HttpError("not_found", `There is no run "${id.slice(0, 100)}": ${state}`);
  }
  const waits = deps.inbox.list().some((question) => question.run === id);
  const children = <Run run={run} waits={waits} now={deps.now()} />;
  return framed(frame(), { title: `Run of ${run.client}`, section: "/runs", children });
}

/** Responds with a result that was too large to send whole, as plain text. */
export async function resultPage(context: Context, { deps }: PageParts): Promise<Response> {
  const result = await deps.resultSource.read(param(context, "handle"));
  if (!result) throw new HttpError("not_found", "There is no such result: it has expired");
  const headers = { ...HEADERS, "content-type": "text/plain; charset=utf-8" };
  return new Response(deps.redact(result.text), { headers });
}
