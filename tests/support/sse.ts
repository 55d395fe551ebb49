/** Readers of `GET /events`. */

import type { TestGateway } from "./gateway.ts";

export interface SseEvent {
  readonly type: string;
  readonly data: Record<string, unknown>;
}

export interface SseReader extends AsyncDisposable {
  /** Every event so far. */
  readonly all: readonly SseEvent[];
  /** Resolves with the first event of a type, of those that came already or come. */
  next(type: string): Promise<SseEvent>;
  until(matches: (event: SseEvent) => boolean): Promise<SseEvent>;
}

/** Opens the stream; resolves once the gateway has answered. */
export async function openEvents(gateway: Pick<TestGateway, "fetch">): Promise<SseReader> {
  const leaving = new AbortController();
  const response = await gateway.fetch("/events", { signal: leaving.signal });
  if (!response.ok || !response.body) throw new Error(`No events: ${response.status}`);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  const all: SseEvent[] = [];
  let rest = "";

  async function read(): Promise<void> {
    const { value, done } = await reader.read();
    if (done) throw new Error("The stream has ended");
    const blocks = (rest + value).split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const [, type, data] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? [];
      if (type !== undefined && data !== undefined) all.push({ type, data: JSON.parse(data) });
    }
  }

  async function until(matches: (event: SseEvent) => boolean): Promise<SseEvent> {
    for (;;) {
      const event = all.find(matches);
      if (event) return event;
      await read();
    }
  }

  await read(); // the gateway listens from here on
  return {
    all,
    until,
    next: (type) => until((event) => event.type === type),
    async [Symbol.asyncDispose]() {
      leaving.abort();
      await reader.cancel().catch(() => {}); // it was aborted
    },
  };
}
