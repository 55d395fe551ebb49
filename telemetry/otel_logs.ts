/** Export of the audit to an OpenTelemetry collector, as log records. Loaded only for a collector. */

import { within } from "#base";
import type { ExportSettings } from "./otel_export.ts";

/** One event of the audit; texts hold no secrets. */
export interface AuditRecord {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly kind: string;
  readonly [field: string]: string | number | null;
}

export interface OtelLogs extends AsyncDisposable {
  write(record: AuditRecord): void;
}

/** Limit for sending the last records: a collector that is down must not delay the end. */
const FLUSH_MS = 2_000;

/** Loads the packages and opens the export. */
export async function openOtelLogs(
  { protocol }: Exclude<ExportSettings, string | undefined>,
  { version }: { readonly version: string },
): Promise<OtelLogs> {
  const [{ SeverityNumber }, resources, sdk, { OTLPLogExporter }] = await Promise.all([
    import("@opentelemetry/api"),
    import("@opentelemetry/resources"),
    import("@opentelemetry/sdk-logs"),
    protocol === "http/json"
      ? import("@opentelemetry/exporter-logs-otlp-http")
      : import("@opentelemetry/exporter-logs-otlp-proto"),
  ]);
  const own = { "service.name": "toolscript", "service.version": version };
  const detected = resources.detectResources({ detectors: [resources.envDetector] });
  const provider = new sdk.LoggerProvider({
    resource: resources.resourceFromAttributes(own).merge(detected),
    processors: [new sdk.BatchLogRecordProcessor({ exporter: new OTLPLogExporter() })],
  });
  const logger = provider.getLogger("toolscript", version);
  return {
    write({ at, kind, ...fields }) {
      const entries = Object.entries(fields).flatMap(([name, value]) =>
        value === null ? [] : [[`toolscript.audit.${name}`, value] as const]
      );
      logger.emit({
        timestamp: at,
        severityNumber: kind === "refusal" ? SeverityNumber.WARN : SeverityNumber.INFO,
        eventName: `toolscript.audit.${kind}`,
        body: kind,
        attributes: Object.fromEntries(entries),
      });
    },
    async [Symbol.asyncDispose]() {
      // A collector that is down is no error of the gateway.
      await within(provider.shutdown().catch(() => {}), FLUSH_MS);
    },
  };
}
