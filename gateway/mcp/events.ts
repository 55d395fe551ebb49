/** What happens while a run works, as progress and log notifications. */

import type { RunEvent } from "#runtime";
import type { McpExchange } from "./types.ts";

/** Between two notifications of progress: a run of a thousand calls must not flood its client. */
const PAUSE_MS = 50;
const LOGGER = "run";

/** Builds the listener of one run. */
export function createReporter(
  { onProgress, onLog }: Pick<McpExchange, "onProgress" | "onLog">,
  now: () => number,
): (event: RunEvent) => void {
  let progress = 0;
  let last = -Infinity;

  /** Progress only ever grows; what a tool says of itself is in the message. */
  function report(message: string): void {
    progress++;
    const time = now();
    if (!onProgress || time - last < PAUSE_MS) return;
    last = time;
    onProgress({ progress, message });
  }

  return (event) => {
    switch (event.type) {
      case "started":
        return report("Started");
      case "call":
        return report(`Calling ${event.tool}`);
      case "progress": {
        const { message, total } = event;
        const share = total === undefined ? `${event.progress}` : `${event.progress}/${total}`;
        return report(message === undefined ? share : `${message} (${share})`);
      }
      case "stdout":
        return onLog("info", event.data, LOGGER);
      case "stderr":
        return onLog("warning", event.data, LOGGER);
      default:
        return;
    }
  };
}
