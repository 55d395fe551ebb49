/** Sources of data for the tools of the `data` pack. */

import { PackError } from "../../errors.ts";
import { fileInput, type Files } from "../kit/files.ts";
import type { JobWorkers } from "../../jobs/workers.ts";
import * as p from "../kit/params.ts";
import { formatOfName, FORMATS } from "./formats.ts";
import type { DataSettings } from "./settings.ts";
import type { Source } from "./work/read.ts";

export interface DataParts {
  readonly settings: DataSettings;
  readonly workers: JobWorkers;
  readonly files: Files;
}

const FORMAT = "Its format; auto finds out, by the file's name first";

/** Parameters for reading a text. */
export const READING = {
  format: p.choice(FORMAT, ["auto", ...FORMATS]),
  header: p.flag("CSV: the first row names the columns", true),
  typed: p.flag("CSV: numbers, true and false become values where nothing is lost", true),
  delimiter: p.optional(p.text("CSV: what stands between cells", { minLength: 1, maxLength: 5 })),
};

/** Parameters for the data: a value, a text or a file. */
export const SOURCE = {
  value: p.optional(p.anything("The data itself; this, text or path")),
  text: p.optional(p.text("The data as text")),
  path: p.optional(p.path("A file with the data, within the folders of the pack file")),
  ...READING,
};

type SourceArgs = Partial<p.ArgsOf<typeof SOURCE>> & p.ArgsOf<typeof READING>;

/** Source that a call names. Checks the path of a file; the worker reads it. */
export async function sourceOf(
  { settings, files }: DataParts,
  { value, text, path, format, ...rows }: SourceArgs,
): Promise<Source> {
  if ([value, text, path].filter((one) => one !== undefined).length !== 1) {
    const words = 'pass one of "value", "text" and "path"';
    throw new PackError("invalid_arguments", `Cannot tell where the data is: ${words}`);
  }
  if (value !== undefined) return { kind: "value", value };
  const explicitFormat = format === "auto" ? undefined : format;
  if (text !== undefined) return { kind: "text", text, format: explicitFormat, rows };
  const { maxBytes } = settings;
  const file = await fileInput(path ?? "", { files, maxBytes });
  return { kind: "text", text: file, format: explicitFormat ?? formatOfName(path ?? ""), rows };
}
