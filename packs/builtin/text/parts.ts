/** Parts that the tools of the `text` pack share. */

import type { Files } from "../kit/files.ts";
import type { JobWorkers } from "../kit/job_workers.ts";
import type { TextSettings } from "./settings.ts";

export interface TextParts {
  readonly settings: TextSettings;
  readonly workers: JobWorkers;
  readonly files: Files;
}
