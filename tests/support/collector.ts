/** An OpenTelemetry collector of our own: takes OTLP as JSON and keeps every span. */

import { delay } from "./gateway.ts";

export interface ReceivedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly traceState: string | undefined;
  readonly service: string;
  readonly failed: boolean;
  readonly attributes: Readonly<Record<string, unknown>>;
  /** What came with the request that brought it. */
  readonly headers: Headers;
}

export interface ReceivedLog {
  readonly eventName: string;
  readonly service: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

export interface Collector extends AsyncDisposable {
  readonly url: string;
  readonly spans: readonly ReceivedSpan[];
  readonly logs: readonly ReceivedLog[];
  /** Resolves with the first span that fits. */
  until(fits: (span: ReceivedSpan) => boolean): Promise<ReceivedSpan>;
}

export function openCollector(): Collector {
  const spans: ReceivedSpan[] = [];
  const logs: ReceivedLog[] = [];
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async (request) => {
    const body = await request.json();
    for (const { resource, scopeLogs } of body.resourceLogs ?? []) {
      const service = valuesOf(resource.attributes)["service.name"];
      for (
        const record of scopeLogs.flatMap((scope: { logRecords: unknown[] }) => scope.logRecords)
      ) {
        logs.push({ ...record, service, attributes: valuesOf(record.attributes) });
      }
    }
    for (const { resource, scopeSpans } of body.resourceSpans ?? []) {
      const service = valuesOf(resource.attributes)["service.name"];
      for (const span of scopeSpans.flatMap((scope: { spans: unknown[] }) => scope.spans)) {
        spans.push({
          ...span,
          parentSpanId: span.parentSpanId || undefined,
          service,
          failed: span.status?.code === 2,
          attributes: valuesOf(span.attributes),
          headers: request.headers,
        });
      }
    }
    return Response.json({});
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    spans,
    logs,
    async until(fits) {
      for (let tries = 0; tries < 600; tries++) {
        const span = spans.find(fits);
        if (span) return span;
        await delay(100);
      }
      throw new Error(`No such span among ${spans.map(({ name }) => name).join(", ")}`);
    },
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

interface Attribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

function valuesOf(attributes: readonly Attribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
