/** Duration and end of each step, for log lines and traces. */

/** Plain facts of a span; undefined ones are left out. Secrets never go into them. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** Parent of spans in another process (W3C Trace Context). */
export interface TraceContext {
  readonly traceparent: string;
  readonly tracestate?: string;
}

export interface Tracer {
  /** Does the work, and reports the span when it has ended: as `ok`, or with the `code` or name of
   * what it threw. Each span is one line of the log (OT-24). */
  span<T>(name: string, attributes: Attributes, work: (span: Span) => Promise<T>): Promise<T>;
  /** The tracer of spans whose parent is in another process. */
  within(parent: TraceContext | undefined): Tracer;
  /** Context to pass on, so that the current span is the parent in other processes. */
  context(): TraceContext | undefined;
}

/** A span under way; spans that are made of it are its children. */
export interface Span extends Tracer {
  /** Adds facts that were not known at the start. */
  set(attributes: Attributes): void;
  /** Reports the span with this code, though its work does not throw. */
  fail(code: string): void;
}

/** Reports nothing, and passes on where a trace comes from. */
export const untraced: Tracer = passing(undefined);

function passing(parent: TraceContext | undefined): Span {
  const span: Span = {
    span: (_name, _attributes, work) => work(span),
    within: (other) => other === undefined ? span : passing(other),
    context: () => parent,
    set() {},
    fail() {},
  };
  return span;
}
