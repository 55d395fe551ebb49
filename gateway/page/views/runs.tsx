/** Runs in rows, and the page of all runs with its filter. */

import type { RunFacets, RunFilter, RunSummary } from "#runtime";
import type { Child } from "hono/jsx";
import type { JSX } from "hono/jsx/jsx-runtime";
import { runPath } from "./paths.ts";
import { brief, Empty, Panel, State, type StateKind, Time, visible } from "./parts.tsx";

const STATES = {
  running: ["running", "Running"],
  ok: ["ok", "Done"],
  failed: ["bad", "Failed"],
} as const satisfies Record<RunSummary["state"], readonly [StateKind, string]>;

/** State of a run, or of a call of it, with the reason of a failure. */
export function RunState(
  { run, waits = false }: {
    readonly run: Pick<RunSummary, "state" | "code">;
    /** True where it waits for the answer of a person. */
    readonly waits?: boolean;
  },
): JSX.Element {
  if (waits) return <State kind="waiting">Waiting for you</State>;
  const [kind, name] = STATES[run.state];
  return <State kind={kind}>{run.code === null ? name : brief(run.code, 30)}</State>;
}

/** Time that something took; empty while it goes on. */
export function took(ms: number | null): string {
  if (ms === null) return "";
  if (ms < 10) return `${ms.toFixed(1)} ms`;
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(ms < 10_000 ? 2 : 1)} s`;
}

export interface RunRowsProps {
  /** Runs that wait for the answer of a person. */
  readonly waiting?: ReadonlySet<string | null>;
  readonly runs: readonly RunSummary[];
  readonly now: number;
}

/** Runs in rows, each a link to its own page. */
export function RunRows({ runs, now, waiting }: RunRowsProps): JSX.Element {
  return (
    <ul class="rows runs">
      {runs.map((run) => (
        <li data-key={run.run}>
          <a class="row" href={runPath(run.run)}>
            <RunState run={run} waits={waiting?.has(run.run)} />
            <span class="grow one">
              <span class="mono">{brief(run.title, 160) || "Empty program"}</span>
            </span>
            <span class="soft tag client">{brief(run.client, 40)}</span>
            <span class="number">{`${run.calls} ${run.calls === 1 ? "call" : "calls"}`}</span>
            <span class="number">{took(run.ms)}</span>
            <span class="number time">
              <Time at={run.at} now={now} />
            </span>
          </a>
        </li>
      ))}
    </ul>
  );
}

export interface RunsProps extends RunRowsProps {
  readonly total: number;
  readonly offset: number;
  readonly filter: RunFilter;
  readonly facets: RunFacets;
}

/** Page of all runs that are kept. */
export function Runs(
  { runs, now, waiting, total, offset, filter, facets }: RunsProps,
): JSX.Element {
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  return (
    <>
      <div class="title">
        <h1>Runs</h1>
        <p class="soft">The last runs of this gateway, kept in memory until it ends</p>
      </div>
      <Filter filter={filter} facets={facets} />
      <Panel
        title="Latest first"
        live="runs"
        class="flush"
        aside={<span class="soft" data-live="total">{`${total} runs`}</span>}
      >
        {runs.length > 0
          ? <RunRows runs={runs} now={now} waiting={waiting} />
          : isFiltered
          ? (
            <Empty title="No run is like this">
              Choose less, or <a href="/runs">see all runs</a>.
            </Empty>
          )
          : <NoRuns />}
        <Pager filter={filter} offset={offset} total={total} count={runs.length} />
      </Panel>
    </>
  );
}

/** Place of runs where there was no run yet. */
export function NoRuns(): JSX.Element {
  return (
    <Empty title="Nothing has run yet">
      Runs of agents appear here. Try one: <code>toolscript run '1 + 1'</code>
    </Empty>
  );
}

function Filter(
  { filter, facets }: { readonly filter: RunFilter; readonly facets: RunFacets },
): JSX.Element {
  return (
    <form class="filter" method="get" action="/runs">
      <Choice name="client" label="Client" value={filter.client} all="All clients">
        {facets.clients.map((client) => optionOf(client, filter.client))}
      </Choice>
      <Choice name="outcome" label="Outcome" value={filter.outcome} all="All outcomes">
        {optionOf("running", filter.outcome, "Running")}
        {optionOf("ok", filter.outcome, "Done")}
        {optionOf("failed", filter.outcome, "Failed")}
        {facets.codes.map((code) => optionOf(code, filter.outcome))}
      </Choice>
      <Choice name="tool" label="Tool" value={filter.tool} all="All tools">
        {facets.tools.map((tool) => optionOf(tool, filter.tool))}
      </Choice>
      <button type="submit">Show</button>
    </form>
  );
}

interface ChoiceProps {
  readonly name: string;
  readonly label: string;
  readonly value: string | undefined;
  /** Text of the first option, which leaves nothing out. */
  readonly all: string;
  readonly children?: Child;
}

function Choice({ name, label, all, children }: ChoiceProps): JSX.Element {
  return (
    <label class="field">
      <span class="soft">{label}</span>
      <select name={name}>
        <option value="">{all}</option>
        {children}
      </select>
    </label>
  );
}

function optionOf(value: string, chosen: string | undefined, name = brief(value, 60)): JSX.Element {
  return <option value={value} selected={value === chosen}>{name}</option>;
}

interface PagerProps {
  readonly filter: RunFilter;
  readonly offset: number;
  readonly count: number;
  readonly total: number;
}

function Pager({ filter, offset, count, total }: PagerProps): JSX.Element | null {
  if (total <= count) return null;
  const path = (start: number) => {
    const query = new URLSearchParams(
      Object.entries(filter).filter(([, value]) => value !== undefined),
    );
    if (start > 0) query.set("from", String(start));
    return query.size > 0 ? `/runs?${query}` : "/runs";
  };
  const size = Math.max(count, 1);
  return (
    <nav class="more pager" aria-label="Pages of runs">
      <span>{`${offset + 1} to ${offset + count} of ${total}`}</span>
      {offset > 0 && <a href={path(Math.max(0, offset - size))}>Later</a>}
      {offset + count < total && <a href={path(offset + count)}>Earlier</a>}
    </nav>
  );
}

/** Text of a program with its lines numbered, and one of them marked. */
export function Lines(
  { text, marked }: { readonly text: string; readonly marked: number | null },
): JSX.Element {
  return (
    <pre class="code lines" tabindex={0} role="group" aria-label="Program">
      {visible(text).split("\n").map((line, index) => (
        <code class={index + 1 === marked ? "marked" : undefined}>{`${line}\n`}</code>
      ))}
    </pre>
  );
}
