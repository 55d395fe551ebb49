/** Types that the parts of a streamed run share. */

/** One line of the stream, before it is looked at. */
export interface StreamedEvent {
  readonly type: string;
  readonly [key: string]: unknown;
}
