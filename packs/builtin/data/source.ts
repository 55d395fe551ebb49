/** Where a tool of the `data` pack takes its data from. */

import { PackError } from "../../errors.ts";
import { fileInput, type Files } from "../kit/files.ts";
import type { JobWorkers } from "../kit/job_workers.ts";
import { anything, choice, flag, optional, text } from "../kit/mod.ts";
import type { JsonValue } from "#sandbox";
import { formatOfName, FORMATS } from "./formats.ts";
import type { DataSettings } from "./settings.ts";
import type { Source } from "./work/read.ts";

export interface DataParts {
  readonly settings: DataSettings;
  readonly workers: JobWorkers;
  readonly files: Files;
}

const FORMAT = "Its format; auto finds out, by the file's name first";

/** How a text is read. */
export const READING = {
  format: choice(FORMAT, ["auto", ...FORMATS]),
  header: flag("CSV: the first row names the columns", true),
  typed: flag("CSV: numbers, true and false become values where nothing is lost", true),
  delimiter: optional(text("CSV: what stands between cells", { minLength: 1, maxLength: 5 })),
};

/** One of three places for data. */
export const SOURCE = {
  value: optional(anything("The data itself; this, text or path")),
  text: optional(text("The data as text")),
  path: optional(text("A file with the data, within the folders of the pack file")),
  ...READING,
};

export interface GivenSource {
  readonly value?: JsonValue;
  readonly text?: string;
  readonly path?: string;
  readonly format: "auto" | typeof FORMATS[number];
  readonly header: boolean;
  readonly typed: boolean;
  readonly delimiter?: string;
}

/** The source that a call names; files are read here, parsed by the worker. */
export async function sourceOf(
  { settings, files }: DataParts,
  { value, text, path, format, ...rows }: GivenSource,
): Promise<Source> {
  const given = [value, text, path].filter((one) => one !== undefined);
  if (given.length !== 1) {
    const words = 'pass one of "value", "text" and "path"';
    throw new PackError("invalid_arguments", `Cannot tell where the data is: ${words}`);
  }
  if (value !== undefined) return { kind: "value", value };
  const named = format === "auto" ? undefined : format;
  if (text !== undefined) return { kind: "text", text, format: named, rows };
  const { maxBytes } = settings;
  const file = await fileInput(path ?? "", { files, maxBytes });
  return { kind: "text", text: file, format: named ?? formatOfName(path ?? ""), rows };
}

export interface Ask {
  /** What the error calls the work: `parse the data`. */
  readonly what: string;
  readonly input: object;
  readonly signal: AbortSignal;
}

/** Does one job of the worker. */
export async function ask<T>(
  { workers, settings }: DataParts,
  kind: string,
  { what, input, signal }: Ask,
): Promise<T> {
  const { timeoutMs } = settings;
  const advice = "give it less at once";
  return await workers.run({ kind, input }, { what, signal, timeoutMs, advice }) as T;
}
