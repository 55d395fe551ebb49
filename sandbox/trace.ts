/** How long each step took and how it ended: what log lines and traces are made of. */

/** Plain facts of a span; what is undefined is left out. Secrets never go into them. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** Where a trace comes from or goes on (W3C Trace Context). */
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
  /** What is to be passed on, so that others take the current span for their parent. */
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
    within: (given) => given === undefined ? span : passing(given),
    context: () => parent,
    set() {},
    fail() {},
  };
  return span;
}
