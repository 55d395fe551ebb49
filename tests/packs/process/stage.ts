/** A lifeline of resources that the test makes and ends, with every event in order. */

import { Lifeline } from "../../../packs/process/lifeline.ts";

/** A resource that ends when the test says so. */
export interface Resource {
  readonly number: number;
  readonly crash: (reason: string) => void;
  readonly ended: Promise<string>;
}

export interface Stage {
  readonly life: Lifeline<Resource>;
  /** `open`, `close 1 REASON`, and every state that was entered. */
  readonly events: string[];
  readonly signal: AbortSignal;
  /** Ends the attempt that is under way. */
  connect(): Promise<void>;
  refuse(): Promise<void>;
  /** Lets `close` return. */
  readonly closed: PromiseWithResolvers<void>;
  clock: number;
}

export function createStage({ idleMs, slowClose = false }: {
  readonly idleMs?: number;
  readonly slowClose?: boolean;
} = {}): Stage {
  const events: string[] = [];
  const attempts: PromiseWithResolvers<Resource>[] = [];
  const closed = Promise.withResolvers<void>();
  let made = 0;
  const life: Lifeline<Resource> = new Lifeline<Resource>({
    open: () => {
      events.push("open");
      const attempt = Promise.withResolvers<Resource>();
      attempts.push(attempt);
      return attempt.promise;
    },
    close: async ({ number, crash }, reason) => {
      events.push(`close ${number}: ${reason}`);
      crash(reason);
      if (slowClose) await closed.promise;
    },
    ended: ({ ended }) => ended,
    onChange: () => void events.push(life.state.kind),
    idleMs,
    now: () => stage.clock,
  });
  const stage: Stage = {
    life,
    events,
    signal: new AbortController().signal,
    clock: 0,
    closed,
    async connect() {
      await turns();
      const { promise: ended, resolve: crash } = Promise.withResolvers<string>();
      attempts.shift()?.resolve({ number: ++made, crash, ended });
      await turns();
    },
    async refuse() {
      await turns();
      attempts.shift()?.reject(new Error("refused"));
      await turns();
    },
  };
  return stage;
}

/** Lets everything run that waits for nothing but a promise. */
export async function turns(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}

export async function connected(stage: Stage): Promise<Resource> {
  const acquiring = stage.life.acquire(stage.signal);
  await stage.connect();
  return await acquiring;
}

export async function crash(resource: Resource): Promise<void> {
  resource.crash("crashed");
  await turns();
}

/** A timer of no length is behind all that are set before. */
export async function timers(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 0));
  await new Promise((resolve) => setTimeout(resolve, 0));
}
