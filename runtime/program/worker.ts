/** Reads programs in a worker, so that none of them can hold up the event loop. */

/// <reference lib="webworker" />
import { readProgram } from "./read.ts";
import type { ProgramSource } from "./types.ts";

addEventListener("message", (event: MessageEvent<ProgramSource>) => {
  postMessage(readProgram(event.data));
});
