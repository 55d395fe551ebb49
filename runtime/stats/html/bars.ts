/** Bar charts as SVG: plain shapes, colours by class, a title on every bar. */

import { html as markup } from "hono/html";
// @ts-types="@types/d3-scale"
import { scaleBand, scaleLinear } from "d3-scale";
import { short } from "./numbers.ts";

/** Result of the template engine: escaped text. */
export type Markup = ReturnType<typeof markup>;

/** A part of a bar. */
export interface Part {
  /** The class that gives it its colour. */
  readonly kind: string;
  readonly value: number;
}

export interface Bar {
  readonly label: string;
  readonly parts: readonly Part[];
  /** Shown when it is pointed at. */
  readonly title: string;
  /** Written at its end. */
  readonly note?: string;
}

export interface ChartOptions {
  /** Said to those who cannot see it. */
  readonly label: string;
  readonly width?: number;
}

const COLUMNS = { width: 1_080, height: 240, left: 44, right: 4, top: 10, bottom: 26 } as const;
const ROWS = { width: 520, row: 44, note: 96 } as const;
const LABELS = 12;
const MAX_LABEL = 52;

/** Bars that stand side by side, for values over time. */
export function columns(bars: readonly Bar[], { label }: ChartOptions): Markup {
  const { width, height, left, right, top, bottom } = COLUMNS;
  const most = Math.max(1, ...bars.map(total));
  const y = scaleLinear().domain([0, most]).nice(4).range([height - bottom, top]);
  const x = scaleBand<number>().domain(bars.map((_, index) => index))
    .range([left, width - right]).padding(0.22);
  const every = Math.max(1, Math.ceil(bars.length / LABELS));
  const ticks = y.ticks(4).filter(Number.isInteger);
  return markup`<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${label}">
${ticks.map((tick) => gridLine(tick, y(tick)))}
${
    bars.map((bar, index) => {
      const from = x(index) ?? left;
      return markup`<g><title>${bar.title}</title>
<rect class="hit" x="${round(from)}" y="${top}" width="${round(x.step())}" height="${
        height - bottom - top
      }"/>
${
        stack(bar.parts, (start, end) => {
          const [low, high] = [y(start), y(end)];
          return { x: from, y: high, width: Math.min(x.bandwidth(), 40), height: low - high };
        })
      }</g>`;
    })
  }
${
    bars.map((bar, index) =>
      index % every === 0
        ? markup`<text class="axis" text-anchor="middle" x="${
          round((x(index) ?? left) + Math.min(x.bandwidth(), 40) / 2)
        }" y="${height - 8}">${bar.label}</text>`
        : ""
    )
  }
</svg>`;

  function gridLine(tick: number, height: number): Markup {
    const at = round(height);
    return markup`<line class="grid" x1="${left}" x2="${width - right}" y1="${at}" y2="${at}"/>
<text class="axis" text-anchor="end" x="${left - 8}" y="${at + 4}">${short(tick)}</text>`;
  }
}

/** Bars that lie one below the other, each under its name, for the largest of many. */
export function rows(bars: readonly Bar[], options: ChartOptions): Markup {
  const { row, note } = ROWS;
  const { label, width = ROWS.width } = options;
  const height = Math.max(1, bars.length) * row;
  const x = scaleLinear().domain([0, Math.max(1e-9, ...bars.map(total))]).range([0, width - note]);
  return markup`<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${label}">
${
    bars.map((bar, index) => {
      const top = index * row;
      return markup`<g><title>${bar.title}</title>
<rect class="hit" x="0" y="${top}" width="${width}" height="${row}"/>
<text class="name" x="0" y="${top + 15}">${cut(bar.label)}</text>
<rect class="track" x="0" y="${top + 22}" width="${width - note}" height="12" rx="3"/>
${
        stack(bar.parts, (start, end) => ({
          x: x(start),
          y: top + 22,
          width: x(end) - x(start),
          height: 12,
        }))
      }
<text class="note" text-anchor="end" x="${width}" y="${top + 32}">${bar.note ?? ""}</text></g>`;
    })
  }
</svg>`;
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The parts of a bar, each where the one before it ends. */
function stack(parts: readonly Part[], place: (start: number, end: number) => Box): Markup[] {
  let start = 0;
  return parts.filter(({ value }) => value > 0).map(({ kind, value }) => {
    const box = place(start, start + value);
    start += value;
    return markup`
      <rect class="${kind}" x="${round(box.x)}" y="${round(box.y)}" width="${
      round(
        Math.max(1.5, box.width),
      )
    }" height="${round(Math.max(1.5, box.height))}"
        rx="2" />
    `;
  });
}

function total({ parts }: Bar): number {
  return parts.reduce((sum, { value }) => sum + value, 0);
}

function cut(name: string): string {
  return name.length > MAX_LABEL ? `${name.slice(0, MAX_LABEL - 1).toWellFormed()}…` : name;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
