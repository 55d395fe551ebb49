/** From a run's value to the text that goes back: written, sanitised, stored where it is large. */

import type { JsonValue } from "#sandbox";
import { asFormat, serialiseLookup, serialiseResult } from "./formats.ts";
import { byteLength, clipText } from "./lines.ts";
import { sanitise, type SanitiseOptions } from "./sanitise.ts";
import { leastSize } from "./size.ts";
import type { ResultStore, StoredResult } from "./store.ts";
import { storedText } from "./stored_text.ts";
import { summarise } from "./summary.ts";

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
  /** Whether the text is sanitised; off unless asked. */
  readonly sanitise?: boolean;
  /** Set where the value is what `ot` answered: YAML where no format is asked for; a page of a
   * stored result is not stored again. */
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
      const sanitised: SanitiseOptions | undefined = options.sanitise
        ? { sources: tools }
        : undefined;
      const { lookup } = options;
      const maxBytes = lookup === "page" ? Infinity : maxInlineBytes;
      const inline = inlineText(value, { format, sanitised, lookup, maxInlineBytes: maxBytes });
      if (inline !== undefined) return { text: inline };
      const text = await storedText(value);
      const stored = await store.put(text, { tools, sanitize: options.sanitise })
        .catch((error: unknown) => error instanceof Error ? error : new Error(String(error)));
      if (stored instanceof Error) {
        return {
          text: cutText(text, { maxBytes: maxInlineBytes, sanitised, why: stored.message }),
        };
      }
      const limits = { maxBytes: maxInlineBytes, previewLines };
      const summarised = await summarise(value, { stored, text, format, sanitised, ...limits });
      return { text: summarised.text, stored };
    },
  };
}

interface CutOptions {
  readonly maxBytes: number;
  readonly sanitised: SanitiseOptions | undefined;
  readonly why: string;
}

/** The beginning of a text that cannot be stored: the run is not lost for that. */
function cutText(text: string, { maxBytes, sanitised, why }: CutOptions): string {
  const start = clipText(text, maxBytes);
  const shown = sanitised ? sanitise(start, sanitised) : start;
  return `${shown}\n[Cut after ${maxBytes} of ${byteLength(text)} bytes: ${why}]`;
}

interface InlineOptions {
  readonly format?: string;
  readonly sanitised?: SanitiseOptions;
  readonly lookup?: ReplyTextOptions["lookup"];
  readonly maxInlineBytes: number;
}

/** The final text, or undefined where it is too large; what must be too large is not written. */
function inlineText(value: JsonValue, options: InlineOptions): string | undefined {
  const { format, sanitised, lookup, maxInlineBytes } = options;
  const isRaw = asFormat(format) === "raw" && typeof value !== "string";
  if (!isRaw && leastSize(value, maxInlineBytes) > maxInlineBytes) return undefined;
  const written = lookup && format === undefined
    ? serialiseLookup(value)
    : serialiseResult(value, format);
  if (byteLength(written) > maxInlineBytes) return undefined;
  const text = sanitised ? sanitise(written, sanitised) : written;
  return byteLength(text) > maxInlineBytes ? undefined : text;
}
