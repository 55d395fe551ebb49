/** Parts that the tools of the `text` pack share. */

import type { Files } from "../kit/files.ts";
import type { JobWorkers } from "../../jobs/workers.ts";
import type { TextSettings } from "./settings.ts";

/** Characters of a text that is made from a template or by replacing. */
export const MAX_TEXT = 10_000_000;

export interface TextParts {
  readonly settings: TextSettings;
  readonly workers: JobWorkers;
  /** Processes that may read files. */
  readonly fileWorkers: JobWorkers;
  readonly files: Files;
}
