/** Export of spans to an OpenTelemetry collector, configured by the standard `OTEL_*` variables. Its
 * packages are loaded only for a collector. */

import type { Span as OtelSpan } from "@opentelemetry/api";
import { type TraceContext, within } from "#base";
import type { Environment, ExportSettings } from "./otel_export.ts";
import type { ExportedSpan, SpanExport, SpanReport } from "./tracer.ts";

export interface Otel extends SpanExport, AsyncDisposable {}

export interface OtelOptions {
  readonly env: Environment;
  readonly version: string;
  /** Replaces secrets in texts that are sent. */
  readonly redact: (text: string) => string;
}

const MOST_ATTRIBUTE_CHARS = 2_000;
const DELAY_MS = 1_000;
/** Limit for sending the last spans: a collector that is down must not delay the end. */
const FLUSH_MS = 2_000;

/** Loads the packages and opens the export. */
export async function openOtel(
  { protocol }: Exclude<ExportSettings, string | undefined>,
  options: OtelOptions,
): Promise<Otel> {
  const [api, core, resources, sdk, { OTLPTraceExporter }] = await Promise.all([
    import("@opentelemetry/api"),
    import("@opentelemetry/core"),
    import("@opentelemetry/resources"),
    import("@opentelemetry/sdk-trace"),
    protocol === "http/json"
      ? import("@opentelemetry/exporter-trace-otlp-http")
      : import("@opentelemetry/exporter-trace-otlp-proto"),
  ]);
  const own = { "service.name": "toolscript", "service.version": options.version };
  const detectors = [resources.envDetector];
  const processor = new sdk.BatchSpanProcessor({
    exporter: new OTLPTraceExporter(),
    scheduledDelayMillis: Number(options.env.OTEL_BSP_SCHEDULE_DELAY) || DELAY_MS,
  });
  const provider = new sdk.TracerProvider({
    resource: resources.resourceFromAttributes(own).merge(resources.detectResources({ detectors })),
    sampler: samplerOf(options.env, sdk),
    spanLimits: { attributeValueLengthLimit: MOST_ATTRIBUTE_CHARS },
    spanProcessors: [processor],
  });
  const tracer = provider.getTracer("toolscript", options.version);
  const propagator = new core.W3CTraceContextPropagator();
  const live = new WeakMap<ExportedSpan, OtelSpan>();

  function contextOf(parent: ExportedSpan | TraceContext | undefined) {
    if (parent === undefined) return api.ROOT_CONTEXT;
    if ("traceparent" in parent) {
      return propagator.extract(api.ROOT_CONTEXT, parent, api.defaultTextMapGetter);
    }
    const span = live.get(parent);
    return span ? api.trace.setSpan(api.ROOT_CONTEXT, span) : api.ROOT_CONTEXT;
  }

  return {
    start(name, parent) {
      const span = tracer.startSpan(name, {}, contextOf(parent));
      const exported: ExportedSpan = {
        get context() {
          const carrier: Record<string, string> = {};
          const context = api.trace.setSpan(api.ROOT_CONTEXT, span);
          propagator.inject(context, carrier, api.defaultTextMapSetter);
          const { traceparent = "", tracestate } = carrier;
          return { traceparent, ...(tracestate ? { tracestate } : {}) };
        },
        end(report) {
          span.setAttributes(attributesOf(report, options.redact));
          if (report.outcome !== "ok") {
            span.setStatus({ code: api.SpanStatusCode.ERROR, message: report.outcome });
            span.setAttribute("error.type", report.outcome);
          }
          span.end();
        },
      };
      live.set(exported, span);
      return exported;
    },
    async [Symbol.asyncDispose]() {
      // A collector that is down is no error of the gateway.
      await within(provider.shutdown().catch(() => {}), FLUSH_MS);
    },
  };
}

function attributesOf({ attributes }: SpanReport, redact: (text: string) => string) {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [
      name.includes(".") ? name : `toolscript.${name}`,
      typeof value === "string" ? redact(value) : value,
    ]),
  );
}

type Sdk = typeof import("@opentelemetry/sdk-trace");

function samplerOf(env: Environment, sdk: Sdk) {
  const name = env.OTEL_TRACES_SAMPLER?.trim() ?? "";
  const ratio = Number(env.OTEL_TRACES_SAMPLER_ARG ?? 1);
  const root = name.endsWith("traceidratio")
    ? new sdk.TraceIdRatioBasedSampler(Number.isFinite(ratio) ? ratio : 1)
    : name.endsWith("always_off")
    ? new sdk.AlwaysOffSampler()
    : new sdk.AlwaysOnSampler();
  const isPlain = name !== "" && !name.startsWith("parentbased_");
  return isPlain ? root : new sdk.ParentBasedSampler({ root });
}
