/** Picks a few texts of every kind, and has their tokens counted when the gateway has time. */

import type { Log } from "#base";
import type { Sample, StatsReader } from "../types.ts";

/** Texts of one kind: enough for its tokens per byte. */
const SAMPLES = 12;
const MAX_TEXT = 8_192;
const MAX_KINDS = 5_000;
/** Characters that wait to be counted. */
const MAX_WAITING = 524_288;
/** A gateway that lives shorter never loads the tokenizer. */
const DELAY_MS = 20_000;

export interface SamplerDeps {
  readonly reader: StatsReader;
  readonly log: Log;
}

export interface Sampler {
  /** Number of characters to sample of a text of this kind. */
  sampleSize(kind: string): number;
  add(sample: Sample): void;
  /** Has all that wait counted where a kind is among them that never was. */
  count(): Promise<void>;
  /** Counts no more. */
  end(): void;
}

/** Builds the sampler of one gateway. */
export function createSampler({ reader, log }: SamplerDeps): Sampler {
  const sampled = new Map<string, number>();
  const kinds = new Set<string>();
  let waiting: Sample[] = [];
  let size = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

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
      const seen = sampled.get(kind);
      if (seen === undefined && sampled.size >= MAX_KINDS) return 0;
      return (seen ?? 0) < SAMPLES && size < MAX_WAITING ? MAX_TEXT : 0;
    },
    add(sample) {
      if (sample.text === "") return;
      sampled.set(sample.kind, (sampled.get(sample.kind) ?? 0) + 1);
      waiting.push(sample);
      size += sample.text.length;
      if (timer !== undefined) return;
      timer = setTimeout(() => void countAll(), DELAY_MS);
      Deno.unrefTimer(timer);
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
