/** Picks a few texts of every kind, and has their tokens counted when the gateway has time. */

import { type Log, ownText } from "#base";
import type { Sample, StatsReader } from "../types.ts";

/** Texts of one kind: enough for its tokens per byte. */
const SAMPLES = 12;
const MAX_TEXT = 8_192;
const MAX_KINDS = 5_000;
/** Characters that wait to be counted. */
const MAX_WAITING = 524_288;
/** Time without a call after which the gateway has time: the tokenizer takes 60 MB and a quarter of a
 * second of a processor. */
const QUIET_MS = 20_000;

export interface SamplerDeps {
  readonly reader: StatsReader;
  readonly log: Log;
  /** Milliseconds that only grow. */
  readonly clock: () => number;
}

export interface Sampler {
  /** Number of characters to sample of a text of this kind. */
  sampleSize(kind: string): number;
  add(sample: Sample): void;
  /** Counts all waiting texts, if one of them is of a kind that was never counted. */
  count(): Promise<void>;
  /** Counts no more. */
  end(): void;
}

/** Builds the sampler of one gateway. */
export function createSampler({ reader, log, clock }: SamplerDeps): Sampler {
  const sampled = new Map<string, number>();
  const kinds = new Set<string>();
  let waiting: Sample[] = [];
  let size = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let usedAt = 0;

  function countAfter(delay: number): void {
    timer = setTimeout(() => {
      const rest = usedAt + QUIET_MS - clock();
      if (rest > 0) countAfter(rest);
      else void countAll();
    }, delay);
    Deno.unrefTimer(timer);
  }

  async function countAll(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const samples = waiting;
    waiting = [];
    size = 0;
    for (const { kind } of samples) kinds.add(kind);
    try {
      await reader.count(samples);
    } catch (error) {
      // The average of other kinds stands in for them.
      log("debug", "Tokens could not be counted", { reason: String(error) });
    }
  }

  return {
    sampleSize(kind) {
      usedAt = clock();
      const seen = sampled.get(kind);
      if (seen === undefined && sampled.size >= MAX_KINDS) return 0;
      return (seen ?? 0) < SAMPLES && size < MAX_WAITING ? MAX_TEXT : 0;
    },
    add(sample) {
      if (sample.text === "") return;
      sampled.set(sample.kind, (sampled.get(sample.kind) ?? 0) + 1);
      waiting.push({ ...sample, text: ownText(sample.text) });
      size += sample.text.length;
      if (timer === undefined) countAfter(QUIET_MS);
    },
    async count() {
      if (waiting.some(({ kind }) => !kinds.has(kind))) await countAll();
    },
    end() {
      clearTimeout(timer);
      waiting = [];
    },
  };
}
