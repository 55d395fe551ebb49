/** Worker that reads programs, so that none of them can block the event loop. */

/// <reference lib="webworker" />
import { bounded } from "#base/bounded";
import { SourceReader } from "./source_reader.ts";
import { deadlineOf } from "./deadline.ts";
import type { Knowledge, Source } from "./types.ts";

/** Message to the worker: knowledge for later programs, or a program to read. */
export type Question = ({ readonly kind: "knowledge" } & Knowledge) | Source;

/** Time after its deadline at which a reading stops itself, when no caller waits for it. */
const GIVE_UP_MS = 250;

const reader = new SourceReader();

addEventListener("message", async ({ data }: MessageEvent<Question>) => {
  if (data.kind === "knowledge") return reader.learn(data);
  const limitMs = deadlineOf(data) + GIVE_UP_MS;
  postMessage(await reader.read(data, (work) => bounded(work, limitMs)));
});
