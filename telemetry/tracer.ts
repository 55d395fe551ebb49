/** Spans: timed, reported when they end, and passed to the exporter. */

import type { Attributes, Span, TraceContext, Tracer } from "#base";

/** A span that has ended. */
export interface SpanReport {
  readonly name: string;
  readonly ms: number;
  /** `ok`, or the code or name of the error. */
  readonly outcome: string;
  readonly attributes: Attributes;
}

/** Exporter of spans to other programs. */
export interface SpanExport {
  start(name: string, parent: ExportedSpan | TraceContext | undefined): ExportedSpan;
}

export interface ExportedSpan {
  readonly context: TraceContext;
  end(report: SpanReport): void;
}

export interface TracerDeps {
  /** Milliseconds. */
  readonly now: () => number;
  readonly report: (report: SpanReport) => void;
  readonly exporter?: SpanExport;
}

/** Builds the tracer of root spans. */
export function createTracer(deps: TracerDeps): Tracer {
  return new Scope(deps, undefined, undefined);
}

type Parent = ExportedSpan | TraceContext | undefined;

/** Factory of spans below one parent: a span, a span of another process, or none. */
class Scope implements Tracer {
  readonly #deps: TracerDeps;
  readonly #parent: Parent;
  /** Run that all spans below belong to. */
  readonly #run: Attributes["run"];

  constructor(deps: TracerDeps, parent: Parent, run: Attributes["run"]) {
    this.#deps = deps;
    this.#parent = parent;
    this.#run = run;
  }

  async span<T>(
    name: string,
    attributes: Attributes,
    work: (span: Span) => Promise<T>,
  ): Promise<T> {
    const exported = this.#deps.exporter?.start(name, this.#parent);
    const { run = this.#run } = attributes;
    const span = new LiveSpan(this.#deps, exported ?? this.#parent, { ...attributes, run });
    const since = this.#deps.now();
    try {
      return await work(span);
    } catch (error) {
      span.fail(codeOf(error));
      throw error;
    } finally {
      const report = { name, ms: round(this.#deps.now() - since), ...span.ended };
      this.#deps.report(report);
      exported?.end(report);
    }
  }

  within(parent: TraceContext | undefined): Tracer {
    return parent === undefined ? this : new Scope(this.#deps, parent, this.#run);
  }

  context(): TraceContext | undefined {
    if (this.#parent === undefined) return undefined;
    return "context" in this.#parent ? this.#parent.context : this.#parent;
  }
}

class LiveSpan extends Scope implements Span {
  #attributes: Attributes;
  #outcome = "ok";

  constructor(deps: TracerDeps, parent: Parent, attributes: Attributes) {
    super(deps, parent, attributes.run);
    this.#attributes = attributes;
  }

  get ended(): Pick<SpanReport, "outcome" | "attributes"> {
    return { outcome: this.#outcome, attributes: this.#attributes };
  }

  set(attributes: Attributes): void {
    this.#attributes = { ...this.#attributes, ...attributes };
  }

  fail(code: string): void {
    this.#outcome = code;
  }
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "error";
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}

function round(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
