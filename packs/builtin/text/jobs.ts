/** How the tools of the `text` pack get their work done. */

import type { Files } from "../kit/files.ts";
import type { JobWorkers } from "../kit/job_workers.ts";
import type { TextSettings } from "./settings.ts";

export interface TextParts {
  readonly settings: TextSettings;
  readonly workers: JobWorkers;
  readonly files: Files;
}

export interface Ask {
  /** What the error calls the work: `encode the text`. */
  readonly what: string;
  readonly input: object;
  readonly signal: AbortSignal;
  readonly timeoutMs?: number;
  readonly advice?: string;
}

/** Does one job of the worker. */
export async function ask<T>(
  { workers, settings }: TextParts,
  kind: string,
  { what, input, signal, timeoutMs = settings.timeoutMs, advice = "give it less text" }: Ask,
): Promise<T> {
  return await workers.run({ kind, input }, { what, signal, timeoutMs, advice }) as T;
}
