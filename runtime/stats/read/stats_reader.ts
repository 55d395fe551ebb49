/** Reads, counts and tidies the statistics in a worker, which ends after an idle time. */

import { createQueue, type Log } from "#base";
import type { Sample, StatsData, StatsQuery, StatsReader } from "../types.ts";
import type { StatsAnswer, StatsJob, StatsRequest } from "./worker_types.ts";

export interface StatsReaderOptions {
  readonly folder: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Time to keep a row. */
  readonly keepMs: () => number;
  readonly log: Log;
}

/** Half a million calls are read in a few seconds, on a busy machine in a quarter of a minute. */
const LIMIT_MS = 60_000;
/** Time that the idle worker stays for a further job: the tokenizer need not be loaded again. */
const IDLE_MS = 10_000;

/** The statistics could not be read. */
export class StatsError extends Error {
  override readonly name = "StatsError";
}

/** Builds the reader; the worker is started by the first job. */
export function createStatsReader(options: StatsReaderOptions): StatsReader {
  const { folder, now, keepMs, log } = options;
  let worker: Worker | undefined;
  let idle: ReturnType<typeof setTimeout> | undefined;
  let giveUp: (() => void) | undefined;
  /** A second job would only wait for the first. */
  const queue = createQueue();
  let closed = false;

  function end(): void {
    clearTimeout(idle);
    worker?.terminate();
    worker = undefined;
  }

  async function perform(job: StatsJob): Promise<StatsData | undefined> {
    const { data, aside } = await queue(() => work(job));
    if (aside !== undefined) {
      log("warning", "The file of the statistics was broken: a new one is begun", { aside });
    }
    return data;
  }

  async function work(job: StatsJob): Promise<ReadAnswer> {
    if (closed) throw new StatsError("Cannot read the statistics: the gateway is closing");
    clearTimeout(idle);
    worker ??= startWorker();
    const { promise, resolve, reject } = Promise.withResolvers<StatsAnswer>();
    giveUp = () => reject(new StatsError("Cannot read the statistics: it was given up"));
    const timer = setTimeout(giveUp, LIMIT_MS);
    worker.onmessage = ({ data }: MessageEvent<StatsAnswer>) => resolve(data);
    worker.onerror = (event) => {
      event.preventDefault();
      reject(new StatsError(`Cannot read the statistics: ${event.message}`));
    };
    worker.postMessage({ folder, job } satisfies StatsRequest);
    try {
      const answer = await promise;
      if (answer.ok) return answer;
      throw new StatsError(`Cannot read the statistics: ${answer.reason}`);
    } catch (error) {
      end();
      throw error;
    } finally {
      clearTimeout(timer);
      giveUp = undefined;
      idle = setTimeout(end, IDLE_MS);
      Deno.unrefTimer(idle);
    }
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
    async [Symbol.asyncDispose]() {
      closed = true;
      giveUp?.();
      await queue(() => {});
      end();
    },
  };
}

type ReadAnswer = Extract<StatsAnswer, { ok: true }>;

function startWorker(): Worker {
  return new Worker(import.meta.resolve("./stats_worker.ts"), {
    type: "module",
    name: "statistics",
  });
}
