/** The HTML report: its structure everywhere, its looks where a browser is installed. */

import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";
import { type StatsData, type ToolStats, writeReport } from "#runtime/stats";
import type { Browser } from "playwright-core";
import { findChromium, openChromium } from "../../../support/chromium.ts";

const HOSTILE = `<script>alert(1)</script>"'><img src=x onerror=alert(1)>\u202e]]>`;
const UNTIL = Date.UTC(2026, 5, 30, 12);

function tool(fields: Partial<ToolStats>): ToolStats {
  return {
    tool: "web.fetch",
    calls: 40,
    success_rate: 97.5,
    avg_ms: 120,
    p95_ms: 480,
    bytes_in: 4_000,
    bytes_out: 2_500_000,
    context_saved: 600_000,
    time_saved_ms: 90_000,
    ...fields,
  };
}

function data(fields: Partial<StatsData> = {}): StatsData {
  return {
    period: "month",
    since: new Date(UNTIL - 20 * 86_400_000).toISOString(),
    until: new Date(UNTIL).toISOString(),
    tool: null,
    total_calls: 60,
    success_rate: 95,
    runs: { total: 12, success_rate: 91.7, avg_ms: 900, look: 0 },
    context_saved: 640_000,
    time_saved_ms: 360_000,
    savings: {
      schemas: 42_000,
      calls: 610_000,
      runs: 12_000,
      sessions: 3,
      turns: 48,
      turn_ms: 7_500,
      overlap_ms: 1_200,
      measured: 0.97,
    },
    tools: [tool({}), tool({ tool: HOSTILE, calls: 20, success_rate: 90, p95_ms: 2_000 })],
    errors: [{ code: "timeout", count: 3 }],
    clients: [{ client: HOSTILE, runs: 12, calls: 60 }],
    buckets: Array.from({ length: 31 }, (_, index) => ({
      from: new Date(UNTIL - (30 - index) * 86_400_000).toISOString(),
      calls: index,
      errors: index % 7 === 0 ? 1 : 0,
      runs: index >> 2,
    })),
    ...fields,
  };
}

interface Report extends AsyncDisposable {
  readonly path: string;
  readonly page: string;
}

async function report(of: StatsData): Promise<Report> {
  const folder = await Deno.realPath(await Deno.makeTempDir());
  const written = await writeReport(of, "report.html", { folder, project: HOSTILE });
  assert.ok(written.kind === "written");
  return {
    path: written.path,
    page: await Deno.readTextFile(written.path),
    [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }),
  };
}

Deno.test("OT-18 the report is one page that loads nothing", async () => {
  await using made = await report(data());
  const { page } = made;
  assert.match(page, /^<!DOCTYPE html>/);
  assert.match(page, /<meta http-equiv="Content-Security-Policy"\s+content="default-src 'none';/);
  assert.doesNotMatch(page, /\b(?:src|href|action|srcset)\s*=\s*["']?(?:https?:|\/\/)/i);
  assert.doesNotMatch(page, /@import|url\(/i);
  assert.equal(page.match(/<svg /g)?.length, 4, "four charts");
  assert.match(page, /@media \(prefers-color-scheme: dark\)/);
  for (const heading of ["Calls over time", "Most called", "Slowest", "Context", "Tools"]) {
    assert.ok(page.includes(`<h2>${heading}</h2>`), heading);
  }
  assert.match(page, /How this is computed[^]*o200k[^]*48 turns[^]*7\.5 s/);
});

Deno.test("OT-18 names from outside are text", async () => {
  await using made = await report(data({ tool: HOSTILE }));
  const { page } = made;
  assert.doesNotMatch(page, /<script|<img|onerror=alert\(1\)>/i);
  assert.ok(page.includes("&lt;script&gt;alert(1)"));
  // Every quote of a name inside an attribute is escaped: the tags are those of the report.
  const tags = new Set([...page.matchAll(/<([a-z][a-z0-9]*)/gi)].map(([, name]) => name));
  const ownTags =
    "html head meta title style body main header h1 h2 p div section span i svg g rect " +
    "line text table thead tbody tr th td footer b code";
  for (const name of tags) assert.ok(ownTags.split(" ").includes(name ?? ""), name);
});

Deno.test("OT-18 a report of nothing, and of little", async (t) => {
  const rows: Readonly<Record<string, Partial<StatsData>>> = {
    "nothing": {
      total_calls: 0,
      runs: { total: 0, success_rate: 100, avg_ms: 0, look: 0 },
      since: null,
    },
    "no tools": { tools: [], errors: [], clients: [] },
    "one stretch": { buckets: data().buckets.slice(0, 1) },
    "a saving of nothing": {
      savings: {
        schemas: 0,
        calls: 0,
        runs: 0,
        sessions: 0,
        turns: -3,
        turn_ms: 0,
        overlap_ms: 0,
        measured: 0,
      },
    },
  };
  for (const [name, fields] of Object.entries(rows)) {
    await t.step(name, async () => {
      await using made = await report(data(fields));
      assert.doesNotMatch(made.page, /NaN|Infinity|undefined|\[object/);
    });
  }
});

const ignore = findChromium() === undefined;

Deno.test({
  name: ignore
    ? "OT-18 a browser shows the report in light and dark (skipped: no Chromium is installed)"
    : "OT-18 a browser shows the report in light and dark",
  ignore,
  async fn() {
    await using made = await report(data());
    await using browser = await openChromium();
    const light = await look(browser, { path: made.path, colorScheme: "light" });
    const dark = await look(browser, { path: made.path, colorScheme: "dark" });
    assert.ok(light.colors > 20 && dark.colors > 20, "something is drawn");
    assert.ok(light.corner > 230, "a light page");
    assert.ok(dark.corner < 40, "a dark page");
  },
});

interface Looks {
  /** Brightness of the page's corner. */
  readonly corner: number;
  /** How many different colors there are. */
  readonly colors: number;
}

/** Takes a picture, and lets the browser itself read its pixels. */
async function look(
  browser: Browser,
  { path, colorScheme }: { readonly path: string; readonly colorScheme: "light" | "dark" },
): Promise<Looks> {
  const page = await browser.newPage({ colorScheme, viewport: { width: 1_200, height: 1_800 } });
  await page.goto(pathToFileURL(path).href);
  const picture = (await page.screenshot()).toBase64();
  const reader = await browser.newPage();
  return await reader.evaluate<Looks>(`(${runReader})(${JSON.stringify(picture)})`);
}

/** Runs in a page. */
const runReader = `async (picture) => {
  const image = new Image();
  image.src = "data:image/png;base64," + picture;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = image.width; canvas.height = image.height;
  const context = canvas.getContext("2d");
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, image.width, image.height);
  const colors = new Set();
  for (let at = 0; at < data.length; at += 28) {
    colors.add(data[at] << 16 | data[at + 1] << 8 | data[at + 2]);
  }
  return { corner: Math.round((data[0] + data[1] + data[2]) / 3), colors: colors.size };
}`;
