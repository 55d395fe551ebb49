/** Body of a response that is written while its client reads it. */

export interface BoundedStream {
  readonly body: ReadableStream<Uint8Array>;
  /** Returns true while no more bytes wait than may. */
  hasRoom(): boolean;
  /** Sends bytes; does nothing once the stream has ended. */
  send(bytes: Uint8Array): void;
  end(): void;
}

/** Opens a stream in which about so many bytes may wait for its client. */
export function openStream(mostWaiting: number, onCancel: () => void): BoundedStream {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start(started) {
      controller = started;
    },
    cancel() {
      controller = undefined;
      onCancel();
    },
  }, new ByteLengthQueuingStrategy({ highWaterMark: mostWaiting }));
  return {
    body,
    hasRoom: () => (controller?.desiredSize ?? 0) > 0,
    send: (bytes) => controller?.enqueue(bytes),
    end() {
      controller?.close();
      controller = undefined;
    },
  };
}
