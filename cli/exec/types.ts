/** Types of streamed runs. */

/** One line of the stream, not validated yet. */
export interface StreamedEvent {
  readonly type: string;
  readonly [key: string]: unknown;
}
