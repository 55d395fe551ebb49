/** Reads programs in a worker, so that none of them can hold up the event loop. */

/// <reference lib="webworker" />
import { Answerer } from "./answer.ts";
import type { Knowledge, Source } from "./types.ts";

/** What a reader sends: what is known from now on, or a program to read. */
export type Question = ({ readonly kind: "knowledge" } & Knowledge) | Source;

const answerer = new Answerer();

addEventListener("message", async ({ data }: MessageEvent<Question>) => {
  if (data.kind === "knowledge") answerer.learn(data);
  else postMessage(await answerer.answer(data));
});
