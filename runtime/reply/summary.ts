/** Summary in place of a large result: its content, its first lines, the query to read on
 * (RUN-63). */

import type { JsonValue } from "#base";
import { describe } from "./describe.ts";
import { serialiseResult } from "./formats.ts";
import { byteLength, clipText, eachLine } from "./lines.ts";
import { neutralize, sanitize, type SanitizeOptions } from "./sanitize.ts";
import { shapeOf } from "./shape.ts";
import type { StoredResult } from "./store.ts";

/** Keys as in the reply. */
export interface ResultSummary {
  readonly handle: string;
  readonly total_lines: number;
  readonly size_bytes: number;
  /** A sentence about the content. */
  readonly summary: string;
  /** The first lines. */
  readonly preview: readonly string[];
  /** A command that reads on. */
  readonly query: string;
  /** The value's type in TypeScript terms, with lengths. */
  readonly shape: string;
}

export interface SummaryOptions {
  readonly stored: StoredResult;
  /** The text that was stored. */
  readonly text: string;
  /** Largest summary, in bytes. */
  readonly maxBytes: number;
  readonly previewLines: number;
  readonly format?: string;
  /** Sanitizes the summary where set. */
  readonly sanitized?: SanitizeOptions;
}

export interface Summarized {
  readonly summary: ResultSummary;
  /** The summary as it is sent. */
  readonly text: string;
}

const PREVIEW_BYTES = 2_000;
const LINE_BYTES = 300;
const SHAPE_BYTES = 1_000;
const SENTENCE_BYTES = 300;

/** Summarizes a stored value in at most `maxBytes` bytes; the handle, the counts and the query
 * are never left out. */
export async function summarize(value: JsonValue, options: SummaryOptions): Promise<Summarized> {
  const sentence = await describe(value);
  for (let share = 1; share > 0.001; share /= 2) {
    const sent = send(createSummary(value, sentence, { ...options, share }), options);
    if (byteLength(sent.text) <= options.maxBytes) return sent;
  }
  return send(createSummary(value, sentence, { ...options, share: 0 }), options);
}

function createSummary(
  value: JsonValue,
  sentence: string,
  options: SummaryOptions & { readonly share: number },
): ResultSummary {
  const { stored, maxBytes, share } = options;
  const safe = options.sanitized ? neutralize : (text: string) => text;
  const room = Math.min(PREVIEW_BYTES, maxBytes / 2) * share;
  return {
    handle: stored.handle,
    total_lines: stored.total_lines,
    size_bytes: stored.size_bytes,
    summary: safe(clipText(sentence, Math.floor(SENTENCE_BYTES * share))),
    preview: previewOf(options.text, { lines: options.previewLines, bytes: room }).map(safe),
    query: `ot.result(handle='${stored.handle}', offset=1, limit=50)`,
    shape: safe(shapeOf(value, Math.floor(Math.min(SHAPE_BYTES, maxBytes / 4) * share))),
  };
}

function send(summary: ResultSummary, { format, sanitized }: SummaryOptions): Summarized {
  const text = serialiseResult({ ...summary }, format);
  return { summary, text: sanitized ? sanitize(text, sanitized) : text };
}

interface PreviewLimits {
  readonly lines: number;
  readonly bytes: number;
}

function previewOf(text: string, { lines, bytes }: PreviewLimits): string[] {
  const preview: string[] = [];
  let left = bytes;
  for (const line of eachLine(text)) {
    if (preview.length >= lines || left <= 0) break;
    const clipped = clipText(line.slice(0, LINE_BYTES + 1), Math.min(LINE_BYTES, left));
    left -= byteLength(clipped) + 1;
    preview.push(clipped);
  }
  return preview;
}
