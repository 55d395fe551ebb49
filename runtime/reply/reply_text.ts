/** Text of a reply from a run's value: serialized, sanitized, stored where it is large. */

import type { JsonValue } from "#base";
import { asFormat, serialiseResult, serializeLookup } from "./formats.ts";
import { byteLength, clipText } from "./lines.ts";
import { sanitize, type SanitizeOptions } from "./sanitize.ts";
import { indentationByLevel, leastSize } from "./size.ts";
import type { ResultStore, StoredResult } from "./store.ts";
import { storedText } from "./stored_text.ts";
import { summarize } from "./summary.ts";

export interface ReplyTextDeps {
  readonly store: ResultStore;
  /** Current settings: the configuration can be reloaded. */
  readonly settings: () => {
    /** Bytes that are sent whole. */
    readonly maxInlineBytes: number;
    readonly previewLines: number;
  };
}

export interface ReplyTextOptions {
  readonly format?: string;
  /** The tools that the run called. */
  readonly tools: readonly string[];
  /** Sanitizes the text; off by default. */
  readonly sanitize?: boolean;
  /** Set where the value is a result of `ot`: YAML is its default format; a page of a stored
   * result is not stored again. */
  readonly lookup?: "listing" | "page";
}

export interface ReplyText {
  readonly text: string;
  /** Set where `text` is a summary. */
  readonly stored?: StoredResult;
}

export interface ReplyWriter {
  write(value: JsonValue, options: ReplyTextOptions): Promise<ReplyText>;
}

/** Writes replies; a large one is stored, and a summary goes in its place. */
export function createReplyWriter(deps: ReplyTextDeps): ReplyWriter {
  const { store } = deps;
  return {
    async write(value, options) {
      const { maxInlineBytes, previewLines } = deps.settings();
      const { format, tools } = options;
      const sanitized: SanitizeOptions | undefined = options.sanitize
        ? { sources: tools }
        : undefined;
      const { lookup } = options;
      const maxBytes = lookup === "page" ? Infinity : maxInlineBytes;
      const inline = await inlineText(value, {
        format,
        sanitized,
        lookup,
        maxInlineBytes: maxBytes,
      });
      if (inline !== undefined) return { text: inline };
      const text = await storedText(value);
      const stored = await store.save(text, { tools, sanitize: options.sanitize })
        .catch((error: unknown) => error instanceof Error ? error : new Error(String(error)));
      if (stored instanceof Error) {
        return {
          text: cutText(text, { maxBytes: maxInlineBytes, sanitized, why: stored.message }),
        };
      }
      const limits = { maxBytes: maxInlineBytes, previewLines };
      const summarized = await summarize(value, { stored, text, format, sanitized, ...limits });
      return { text: summarized.text, stored };
    },
  };
}

interface CutOptions {
  readonly maxBytes: number;
  readonly sanitized: SanitizeOptions | undefined;
  readonly why: string;
}

/** The beginning of a text that cannot be stored: the run is not lost for that. */
function cutText(text: string, { maxBytes, sanitized, why }: CutOptions): string {
  const start = clipText(text, maxBytes);
  const excerpt = sanitized ? sanitize(start, sanitized) : start;
  return `${excerpt}\n[Cut after ${maxBytes} of ${byteLength(text)} bytes: ${why}]`;
}

/** Indentation as a multiple of the text that is sent whole. YAML leaves some of it out. */
const MOST_INDENTATION = 20;

/** Tells whether the indentation alone is far more than what is sent whole. */
async function isMostlyIndentation(
  value: JsonValue,
  { format, maxInlineBytes }: InlineOptions,
): Promise<boolean> {
  if (!INDENTED.has(asFormat(format)) || maxInlineBytes === Infinity) return false;
  const sizes = await indentationByLevel(value);
  return sizes.reduce((sum, size) => sum + size, 0) > MOST_INDENTATION * maxInlineBytes;
}

const INDENTED: ReadonlySet<string> = new Set(["json_h", "yml_h", "raw"]);

interface InlineOptions {
  readonly format?: string;
  readonly sanitized?: SanitizeOptions;
  readonly lookup?: ReplyTextOptions["lookup"];
  readonly maxInlineBytes: number;
}

/** Writes the final text; undefined where it is too large. A value that must be too large is not
 * serialized. */
async function inlineText(
  value: JsonValue,
  options: InlineOptions,
): Promise<string | undefined> {
  const { format, sanitized, lookup, maxInlineBytes } = options;
  if (leastSize(value, maxInlineBytes) > maxInlineBytes) return undefined;
  if (await isMostlyIndentation(value, options)) return undefined;
  const serialized = lookup && format === undefined
    ? serializeLookup(value)
    : serialiseResult(value, format);
  if (byteLength(serialized) > maxInlineBytes) return undefined;
  const text = sanitized ? sanitize(serialized, sanitized) : serialized;
  return byteLength(text) > maxInlineBytes ? undefined : text;
}
