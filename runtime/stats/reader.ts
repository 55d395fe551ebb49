/** Has the statistics read, counted and tidied by a worker, which ends when it is not needed. */

import type { Log } from "#sandbox";
import type { Sample, StatsData, StatsQuery, StatsReader } from "./types.ts";
import type { StatsAnswer, StatsJob, StatsRequest } from "./worker_types.ts";

export interface StatsReaderOptions {
  readonly folder: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** How long a row is kept. */
  readonly keepMs: () => number;
  readonly log: Log;
}

/** A year of statistics is read in a few seconds. */
const LIMIT_MS = 60_000;

/** The statistics could not be read. */
export class StatsError extends Error {
  override readonly name = "StatsError";
}

/** Builds the reader; a worker is started for each job. */
export function createStatsReader({ folder, now, keepMs, log }: StatsReaderOptions): StatsReader {
  const closed = new AbortController();
  let last: Promise<unknown> = Promise.resolve();

  /** One after another: a second worker would only wait for the first. */
  function perform(job: StatsJob): Promise<StatsData | undefined> {
    const done = last.then(() => work({ folder, job }, closed.signal)).then((answer) => {
      const { data, aside } = answer;
      if (aside !== undefined) {
        log("warning", "The file of the statistics was broken: a new one is begun", { aside });
      }
      return data;
    });
    last = done.catch(() => {}); // Whoever asked is told.
    return done;
  }

  return {
    async read(query: StatsQuery) {
      const data = await perform({ kind: "read", query, now: now() });
      if (data) return data;
      throw new StatsError("Cannot read the statistics: the worker gave none");
    },
    async count(samples: readonly Sample[]) {
      await perform({ kind: "count", samples });
    },
    async tidy() {
      await perform({ kind: "tidy", now: now(), keepMs: keepMs() });
    },
    [Symbol.asyncDispose]() {
      closed.abort();
      return last.then(() => {});
    },
  };
}

type Done = Extract<StatsAnswer, { ok: true }>;

async function work(request: StatsRequest, closed: AbortSignal): Promise<Done> {
  if (closed.aborted) throw new StatsError("Cannot read the statistics: the gateway is closing");
  const worker = new Worker(import.meta.resolve("./worker.ts"), {
    type: "module",
    name: "statistics",
  });
  const { promise, resolve, reject } = Promise.withResolvers<StatsAnswer>();
  const signal = AbortSignal.any([closed, AbortSignal.timeout(LIMIT_MS)]);
  const end = () => reject(new StatsError("Cannot read the statistics: it was given up"));
  signal.addEventListener("abort", end, { once: true });
  worker.onmessage = ({ data }: MessageEvent<StatsAnswer>) => resolve(data);
  worker.onerror = (event) => {
    event.preventDefault();
    reject(new StatsError(`Cannot read the statistics: ${event.message}`));
  };
  worker.postMessage(request);
  try {
    const answer = await promise;
    if (answer.ok) return answer;
    throw new StatsError(`Cannot read the statistics: ${answer.reason}`);
  } finally {
    signal.removeEventListener("abort", end);
    worker.terminate();
  }
}
