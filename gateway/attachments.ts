/** Clients of a gateway that was started for them: it ends a while after the last has left. */

import type { JsonObject } from "#base";

/** Least time for the first client, which is still on its way. */
const FIRST_MS = 30_000;
/** Interval to look again while programs run. */
const BUSY_MS = 1_000;

export interface AttachmentsOptions {
  /** False for a gateway that stays in any case. */
  readonly auto: boolean;
  /** Time from the last client's end to that of the gateway. */
  readonly lingerMs: () => number;
  /** True while something is under way that no client waits for here. */
  readonly isBusy: () => boolean;
}

export interface Attachments extends Disposable {
  /** Counts a client until the returned function is called. */
  enter(): () => void;
  /** True while the gateway ends after its last client. */
  isAuto(): boolean;
  /** The gateway stays from now on, with or without clients. Resolves to the answer for its client. */
  stay(): Promise<JsonObject>;
  /** Sets the function that `stay` calls. */
  onStay(listener: () => Promise<unknown>): void;
  /** Resolves when the last client has left for good; never after `stay`. */
  readonly left: Promise<void>;
}

/** Counts the clients by their open connections, so that killed ones count as gone. */
export function createAttachments(options: AttachmentsOptions): Attachments {
  const { lingerMs, isBusy } = options;
  const left = Promise.withResolvers<void>();
  const clients = new Set<symbol>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let { auto } = options;
  let tell: () => Promise<unknown> = () => Promise.resolve();

  function wait(ms: number): void {
    clearTimeout(timer);
    if (!auto || clients.size > 0) return;
    timer = setTimeout(() => isBusy() ? wait(BUSY_MS) : left.resolve(), ms);
  }

  function enter(): () => void {
    const client = Symbol();
    clients.add(client);
    clearTimeout(timer);
    return () => {
      if (clients.delete(client)) wait(lingerMs());
    };
  }

  wait(Math.max(lingerMs(), FIRST_MS));
  return {
    enter,
    left: left.promise,
    isAuto: () => auto,
    async stay() {
      if (!auto) return {};
      auto = false;
      clearTimeout(timer);
      await tell();
      return {};
    },
    onStay(listener) {
      tell = listener;
    },
    [Symbol.dispose]() {
      auto = false;
      clearTimeout(timer);
    },
  };
}
