/** Reads programs in a worker, so that none of them can hold up the event loop. */

/// <reference lib="webworker" />
import { bounded } from "#sandbox/bounded";
import { Answerer } from "./source_reader.ts";
import { deadlineOf } from "./deadline.ts";
import type { Knowledge, Source } from "./types.ts";

/** What a reader sends: what is known from now on, or a program to read. */
export type Question = ({ readonly kind: "knowledge" } & Knowledge) | Source;

/** After its time, when nobody waits any more, a reading ends itself. */
const GIVE_UP_MS = 250;

const answerer = new Answerer();

addEventListener("message", async ({ data }: MessageEvent<Question>) => {
  if (data.kind === "knowledge") return answerer.learn(data);
  const limitMs = deadlineOf(data) + GIVE_UP_MS;
  postMessage(await answerer.answer(data, (work) => bounded(work, limitMs)));
});
