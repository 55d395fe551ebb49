/** Events of a run as progress and log notifications. */

import type { RunEvent } from "#runtime";
import type { McpExchange } from "../types.ts";

/** Minimum time between two notifications: a run of a thousand calls must not flood its client. */
const PAUSE_MS = 50;
const LOGGER = "run";

export interface Reporter {
  readonly event: (event: RunEvent) => void;
  /** Stops all reports. */
  end(): void;
}

/** Builds the reporter of one run. */
export function createReporter(
  { onProgress, onLog }: Pick<McpExchange, "onProgress" | "onLog">,
): Reporter {
  let progress = 0;
  let latest: string | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isCalled = false;

  function send(message: string): void {
    onProgress?.({ progress, message });
    timer = setTimeout(() => {
      timer = undefined;
      if (latest !== undefined) send(latest);
      latest = undefined;
    }, PAUSE_MS);
  }

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    latest = undefined;
  }

  /** Counts up, as the protocol demands; the progress of a tool is part of the message. */
  function report(message: string): void {
    progress++;
    if (!onProgress) return;
    if (timer === undefined) send(message);
    else latest = message;
  }

  return {
    end: () => clearTimeout(timer),
    event(event) {
      switch (event.type) {
        case "started":
          return report("Started");
        case "call":
          // At once: who waits learns that the program may have had an effect.
          if (!isCalled) flush();
          isCalled = true;
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
        case "log": // warnings are sent with the reply
          return event.logger === undefined
            ? undefined
            : onLog(event.level, event.data, event.logger);
        default:
          return;
      }
    },
  };
}
