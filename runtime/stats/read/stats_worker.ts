/** Reads, counts and tidies the statistics, away from the gateway's event loop. */

/// <reference lib="webworker" />
import { messageOf } from "#base";
import { isCorrupt, openDatabase, openForReading, setAside } from "../store/database.ts";
import { queryStats } from "./query_stats.ts";
import { tidy } from "../store/tidy.ts";
import type { Sample, StatsData } from "../types.ts";
import type { StatsAnswer, StatsJob, StatsRequest } from "./worker_types.ts";

addEventListener("message", async ({ data }: MessageEvent<StatsRequest>) => {
  postMessage(await answer(data));
});

async function answer({ folder, job }: StatsRequest): Promise<StatsAnswer> {
  try {
    return { ok: true, ...await performOrReplace(folder, job) };
  } catch (error) {
    return { ok: false, reason: messageOf(error) };
  }
}

/** Does a job. If the file is broken, moves it aside and does the job with a new one. */
async function performOrReplace(folder: string, job: StatsJob) {
  try {
    return { data: await perform(folder, job) };
  } catch (error) {
    if (!isCorrupt(error)) throw error;
    const aside = setAside(folder, Date.now());
    return { data: await perform(folder, job), aside };
  }
}

async function perform(folder: string, job: StatsJob): Promise<StatsData | undefined> {
  const counts = job.kind === "count" ? await countTokens(job.samples) : [];
  const isAdded = job.kind === "count";
  const database = isAdded ? openDatabase(folder, "read") : openForReading(folder);
  try {
    switch (job.kind) {
      case "read":
        return queryStats(database, job.query, job.now);
      case "count": {
        const keep = database.prepare(
          `INSERT INTO densities (kind, bytes, tokens) VALUES (?, ?, ?) ON CONFLICT (kind)
             DO UPDATE SET bytes = bytes + excluded.bytes, tokens = tokens + excluded.tokens`,
        );
        for (const { kind, bytes, tokens } of counts) keep.run(kind, bytes, tokens);
        return undefined;
      }
      case "tidy":
        return void tidy(database, job);
      default:
        return job satisfies never;
    }
  } finally {
    database.close();
  }
}

async function countTokens(samples: readonly Sample[]) {
  const { countTokens: count } = await import("gpt-tokenizer/encoding/o200k_base");
  const encoder = new TextEncoder();
  // A text may spell what would be a control token: here it is text.
  const asText = { disallowedSpecial: new Set<string>() };
  return samples.map(({ kind, text }) => ({
    kind,
    bytes: encoder.encode(text).length,
    tokens: count(text, asText),
  }));
}
