/** Worker that reads programs, so that none of them can block the event loop. */

/// <reference lib="webworker" />
import { bounded, isTimeout } from "#base/bounded";
import type { SnippetAnswer } from "../command/types.ts";
import { deadlineOf, LATE } from "./quick.ts";
import { SourceReader } from "./source_reader.ts";
import type { Knowledge, ReaderAnswer, SnippetSource, Source } from "./types.ts";

/** Message to the worker: knowledge for later programs, a program to read, or a snippet to expand. */
export type Question = ({ readonly kind: "knowledge" } & Knowledge) | Source | SnippetSource;

/** Time after its deadline at which a reading stops itself: a caller that waits for a new worker to load
 * still waits then. */
const GIVE_UP_MS = 250;

const reader = new SourceReader();

addEventListener("message", async ({ data }: MessageEvent<Question>) => {
  if (data.kind === "knowledge") return reader.learn(data);
  try {
    postMessage(await answer(data));
  } catch (error) {
    if (!isTimeout(error)) throw error;
    postMessage(LATE);
  }
});

async function answer(source: Source | SnippetSource): Promise<ReaderAnswer | SnippetAnswer> {
  const limitMs = deadlineOf(source) + GIVE_UP_MS;
  if (source.kind !== "snippet") {
    return await reader.read(source, (work) => bounded(work, limitMs));
  }
  const { answerSnippet } = await import("../command/snippet/expand_snippet.ts");
  return bounded(() => answerSnippet(source.snippet, source.values), limitMs);
}
