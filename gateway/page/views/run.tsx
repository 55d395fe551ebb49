/** One run: its program, calls, result and output. */

import type { Excerpt, JournalCall, RunDetails } from "#runtime";
import type { JSX } from "hono/jsx/jsx-runtime";
import { brief, Code, Empty, Panel, Time, visible } from "./parts.tsx";
import { Lines, RunRows, RunState, took } from "./runs.tsx";

export interface RunProps {
  readonly run: RunDetails;
  /** True where it waits for the answer of a person. */
  readonly waits: boolean;
  readonly now: number;
}

/** Page of one run. */
export function Run({ run, waits, now }: RunProps): JSX.Element {
  return (
    <>
      <div class="title">
        <p class="crumb">
          <a href="/runs">Runs</a>
        </p>
        <h1 class="mono">{brief(run.title, 160) || "Empty program"}</h1>
        <div class="line" data-live="summary">
          <Facts run={run} waits={waits} now={now} />
        </div>
      </div>
      <div class="columns wide-first">
        <div>
          <Panel title="Program" aside={run.file && <span class="mono">{visible(run.file)}</span>}>
            <Lines text={run.program.text} marked={run.error?.line ?? null} />
            <Cut part={run.program} />
          </Panel>
          <Panel title="Calls" live="calls" class="flush" aside={<Count run={run} />}>
            <Calls run={run} />
          </Panel>
          {run.parts.length > 0 && (
            <Panel title="Runs within it" class="flush">
              <RunRows runs={run.parts} now={now} />
            </Panel>
          )}
        </div>
        <Ending run={run} />
      </div>
    </>
  );
}

function Ending({ run }: { readonly run: RunDetails }): JSX.Element {
  // What is still to come finds its place kept.
  const steady = run.state === "running" ? "steady" : "";
  return (
    <div>
      <Panel title={run.state === "failed" ? "Error" : "Result"} live="result" class={steady}>
        <Result run={run} />
      </Panel>
      <Panel title="Output" live="output" class={steady}>
        <Output run={run} />
      </Panel>
    </div>
  );
}

function Facts({ run, waits, now }: RunProps): JSX.Element {
  return (
    <>
      <RunState run={run} waits={waits} />
      {waits && <a href="/">Answer it</a>}
      <span class="soft">{brief(run.client, 60)}</span>
      <span class="soft">{run.kind}</span>
      <span class="soft">
        <Time at={run.at} now={now} />
      </span>
      <span class="soft number">{took(run.ms)}</span>
    </>
  );
}

function Count({ run }: { readonly run: RunDetails }): JSX.Element {
  return (
    <span class="soft" data-live="count">
      {`${run.calls} ${run.calls === 1 ? "call" : "calls"}`}
    </span>
  );
}

function Calls({ run }: { readonly run: RunDetails }): JSX.Element {
  const { list, calls } = run;
  if (list.length === 0) return <Empty title="No tool was called" />;
  const whole = Math.max(run.ms ?? 0, ...list.map(({ after, ms }) => after + (ms ?? 0)), 1);
  const more = calls - list.length;
  return (
    <>
      <ol class="rows calls">
        {list.map((call, index) => (
          <li data-key={`c${index}`}>
            <Call call={call} whole={whole} />
          </li>
        ))}
      </ol>
      {more > 0 && <p class="more">{`${more} more calls are not kept`}</p>}
    </>
  );
}

function Call(
  { call, whole }: { readonly call: JournalCall; readonly whole: number },
): JSX.Element {
  return (
    <details>
      <summary class="row">
        <RunState run={call} />
        <span class="grow one">
          <span class="mono">{brief(call.tool, 120)}</span>
        </span>
        <Bar call={call} whole={whole} />
        <span class="number">{took(call.ms)}</span>
      </summary>
      <div class="inside">
        <h3>Arguments</h3>
        <Code label={`Arguments of ${brief(call.tool, 80)}`} text={call.args.text} />
        <Cut part={call.args} />
        {call.result && (
          <>
            <h3>{call.state === "failed" ? "Error" : "Result"}</h3>
            <Code label={`Result of ${brief(call.tool, 80)}`} text={call.result.text} />
            <Cut part={call.result} />
          </>
        )}
      </div>
    </details>
  );
}

/** Part of the run's time in which the call was under way. */
function Bar({ call, whole }: { readonly call: JournalCall; readonly whole: number }): JSX.Element {
  const scale = (ms: number) => Math.round(1_000 * ms / whole) / 10;
  const width = Math.max(1, scale(call.ms ?? whole - call.after));
  return (
    <svg class="span" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
      <rect class="track" width="100" height="6" rx="1" />
      <rect
        class={call.state}
        x={String(Math.min(99, scale(call.after)))}
        width={String(width)}
        height="6"
        rx="1"
      />
    </svg>
  );
}

function Result({ run }: { readonly run: RunDetails }): JSX.Element {
  const { text, stored, error } = run;
  if (run.state === "running") return <Empty title="It is still running" />;
  const answer = text && text.text !== "" ? text : { text: error?.message ?? "", isCut: false };
  return (
    <>
      <Code label="Result" text={answer.text} />
      <Cut part={answer} />
      {stored !== null && (
        <p>
          <a href={`/results/${encodeURIComponent(stored)}`}>The whole result</a>
        </p>
      )}
      {run.warnings.map((warning) => (
        <p class="notice">
          <span class="state warn">
            <span class="name">Warning</span>
          </span>{" "}
          <span class="wrap">{visible(warning)}</span>
        </p>
      ))}
    </>
  );
}

function Output({ run }: { readonly run: RunDetails }): JSX.Element {
  const { stdout, stderr } = run;
  if (stdout.text === "" && stderr.text === "") return <Empty title="It has printed nothing" />;
  return (
    <>
      {stdout.text !== "" && <Code label="Output" text={stdout.text} />}
      <Cut part={stdout} />
      {stderr.text !== "" && (
        <>
          <h3>Errors</h3>
          <Code label="Errors" text={stderr.text} />
        </>
      )}
      <Cut part={stderr} />
    </>
  );
}

function Cut({ part }: { readonly part: Excerpt }): JSX.Element | null {
  if (!part.isCut) return null;
  const text = part.text === "" ? "Too long to be kept" : "Longer than this: the rest is not kept";
  return <p class="soft small">{text}</p>;
}
