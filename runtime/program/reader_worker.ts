/** Worker that reads programs, so that none of them can block the event loop. */

/// <reference lib="webworker" />
import { bounded } from "#base/bounded";
import { deadlineOf } from "./quick.ts";
import { SourceReader } from "./source_reader.ts";
import type { Knowledge, SnippetSource, Source } from "./types.ts";

/** Message to the worker: knowledge for later programs, a program to read, or a snippet to expand. */
export type Question = ({ readonly kind: "knowledge" } & Knowledge) | Source | SnippetSource;

/** Time after its deadline at which a reading stops itself, when no caller waits for it. */
const GIVE_UP_MS = 250;

const reader = new SourceReader();

addEventListener("message", async ({ data }: MessageEvent<Question>) => {
  if (data.kind === "knowledge") return reader.learn(data);
  const limitMs = deadlineOf(data) + GIVE_UP_MS;
  if (data.kind !== "snippet") {
    return postMessage(await reader.read(data, (work) => bounded(work, limitMs)));
  }
  const { answerSnippet } = await import("../command/snippet/expand_snippet.ts");
  postMessage(bounded(() => answerSnippet(data.snippet, data.values), limitMs));
});
