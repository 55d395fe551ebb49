/** The statistics as one page that loads nothing: figures, charts, tables, and the method (OT-18).
 * The template engine escapes every value; names of tools and clients come from outside. */

import { html as markup, raw } from "hono/html";
import type { StatsData } from "../types.ts";
import type { Markup } from "./bars.ts";
import { callsOverTime, contextBars, slowestTools, topTools } from "./charts.ts";
import { duration, percent, short, size, whole } from "./numbers.ts";
import { STYLE } from "./style.ts";

const PERIOD_NAMES = {
  day: "the last 24 hours",
  week: "the last 7 days",
  month: "the last 30 days",
  all: "all time",
} as const;

export interface ReportOptions {
  /** The project's name. */
  readonly project: string;
}

/** Writes the page. */
export async function reportPage(data: StatsData, { project }: ReportOptions): Promise<string> {
  const page = markup`
    <!DOCTYPE html>
    <html lang="en">
      <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta http-equiv="Content-Security-Policy"
          content="default-src 'none'; style-src 'unsafe-inline'">
        <meta name="referrer" content="no-referrer">
        <title>Toolscript statistics: ${project}</title>
        <style>${raw(STYLE)}</style>
      </head>
      <body>
        <main>
    ${heading(data, project)}
    ${reportBody(data)}
        </main>
      </body>
    </html>
  `;
  return String(await page).trimStart();
}

/** Writes all of the page below its heading, for a page that has one of its own. */
export function reportBody(data: StatsData): Markup {
  return markup`
    ${cards(data)}
    ${data.total_calls + data.runs.total === 0 ? empty() : filled(data)}
    ${methodSection(data)}
    <footer>Made ${dateTime(data.until)}${
    data.since === null ? "" : `; the first that counts is of ${dateTime(data.since)}`
  }.</footer>
  `;
}

function heading({ period, tool }: StatsData, project: string): Markup {
  const place = tool === null ? "" : `, ${project}`;
  return markup`<header><h1>${tool ?? project}</h1>
<p class="soft">Toolscript statistics for ${PERIOD_NAMES[period]}${place}</p></header>`;
}

function cards(data: StatsData): Markup {
  const { runs, savings, tools } = data;
  const subject = data.tool === null ? `${whole(tools.length)} tools` : "of this tool";
  return markup`<div class="cards">
${card("Calls", short(data.total_calls), subject)}
${card("Succeeded", percent(data.success_rate), `${whole(failures(data))} failed`)}
${card("Runs", short(runs.total), `${percent(runs.success_rate)} succeeded`)}
${card("Context saved", short(data.context_saved), "tokens", "good")}
${
    card(
      "Time saved",
      duration(data.time_saved_ms),
      `${whole(Math.max(0, savings.turns))} turns`,
      "good",
    )
  }
</div>`;
}

function failures({ errors }: StatsData): number {
  return errors.reduce((sum, { count }) => sum + count, 0);
}

function card(label: string, value: string, more: string, kind = ""): Markup {
  return markup`
    <div class="card ${kind}">
      <p class="label">${label}</p>
      <p class="value">${value}</p>
      <p class="more">${more}</p>
    </div>
  `;
}

function empty(): Markup {
  return markup`
    <section>
      <h2>Nothing yet</h2>
      <p class="soft">No run and no call was recorded in this time.</p>
    </section>
  `;
}

function filled(data: StatsData): Markup {
  return markup`
    <section><h2>Calls over time</h2>${legend([["ok", "succeeded"], ["error", "failed"]])}
    <div class="scroll wide" tabindex="0" role="group" aria-label="Calls over time">${
    callsOverTime(data)
  }</div></section>
    <div class="pair">
      <section><h2>Most called</h2>${legend([["ok", "succeeded"], ["error", "failed"]])}
    ${topTools(data)}</section>
      <section><h2>Slowest</h2><p class="hint">95 of 100 calls were faster</p>${
    slowestTools(
      data,
    )
  }</section>
    </div>
    ${data.tool === null ? contextSection(data) : ""}
    <section><h2>Tools</h2>${toolTable(data)}</section>
    <div class="pair">
      <section><h2>Clients</h2>${clientTable(data)}</section>
      <section><h2>Errors</h2>${errorTable(data)}</section>
    </div>
  `;
}

function contextSection(data: StatsData): Markup {
  return markup`<section><h2>Context</h2>${
    legend([
      ["schemas", "definitions of tools"],
      ["calls", "arguments and results"],
      ["runs", "programs and replies"],
    ])
  }<div class="scroll wide" tabindex="0" role="group" aria-label="Context">${
    contextBars(data)
  }</div></section>`;
}

function legend(items: readonly (readonly [kind: string, name: string])[]): Markup {
  return markup`<p class="legend">${
    items.map(([kind, name]) => markup`<span><i class="${kind}"></i>${name}</span>`)
  }</p>`;
}

function toolTable({ tools }: StatsData): Markup {
  const heads = ["Calls", "Succeeded", "Average", "p95", "Sent", "Received", "Tokens saved"];
  const rows = tools.map((tool) => [
    cell(tool.tool),
    cell(whole(tool.calls)),
    cell(percent(tool.success_rate), tool.success_rate < 95 ? "bad" : ""),
    cell(duration(tool.avg_ms)),
    cell(duration(tool.p95_ms)),
    cell(size(tool.bytes_in)),
    cell(size(tool.bytes_out)),
    cell(whole(tool.context_saved), tool.context_saved > 0 ? "good" : ""),
  ]);
  return markup`<div class="scroll" tabindex="0" role="group" aria-label="Tools">
${table(["Tool", ...heads], rows)}</div>`;
}

function clientTable({ clients }: StatsData): Markup {
  const rows = clients.map(({ client, runs, calls }) => [client, whole(runs), whole(calls)]);
  return table(["Client", "Runs", "Calls"], rows.map((texts) => texts.map((text) => cell(text))));
}

function errorTable({ errors }: StatsData): Markup {
  if (errors.length === 0) return markup`<p class="soft">None.</p>`;
  const rows = errors.map(({ code, count }) => [cell(code), cell(whole(count))]);
  return table(["Code", "Calls"], rows);
}

function table(heads: readonly string[], rows: readonly (readonly Markup[])[]): Markup {
  return markup`<table><thead><tr>${heads.map((head) => markup`<th>${head}</th>`)}</tr></thead>
<tbody>${rows.map((cells) => markup`<tr>${cells}</tr>`)}</tbody></table>`;
}

function cell(text: string, kind = ""): Markup {
  return markup`<td class="${kind}">${text}</td>`;
}

function dateTime(iso: string): string {
  return new Date(iso).toLocaleString("en", { dateStyle: "medium", timeStyle: "short" });
}

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
