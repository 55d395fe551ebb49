/** Choice of an export to an OpenTelemetry collector, by the standard `OTEL_*` variables. */

export type Environment = Readonly<Record<string, string | undefined>>;
export type Signal = "traces" | "logs";

/** Protocol of the export; a string is the reason why it is impossible, undefined means no export. */
export type ExportSettings =
  | { readonly protocol: "http/json" | "http/protobuf" }
  | string
  | undefined;

/** Reads from the variables if and how spans, or records of the audit, are exported. */
export function readExport(env: Environment, signal: Signal): ExportSettings {
  if (env.OTEL_SDK_DISABLED?.trim().toLowerCase() === "true") return undefined;
  const name = signal.toUpperCase();
  const exporter = env[`OTEL_${name}_EXPORTER`]?.trim();
  const endpoint = env[`OTEL_EXPORTER_OTLP_${name}_ENDPOINT`] || env.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (exporter === "none" || (!exporter && !endpoint)) return undefined;
  if (exporter && exporter !== "otlp") {
    return `Cannot export ${signal}: OTEL_${name}_EXPORTER is "${exporter}": use otlp or none`;
  }
  const protocol = env[`OTEL_EXPORTER_OTLP_${name}_PROTOCOL`] || env.OTEL_EXPORTER_OTLP_PROTOCOL ||
    "http/protobuf";
  if (protocol === "http/json" || protocol === "http/protobuf") return { protocol };
  return `Cannot export ${signal}: OTEL_EXPORTER_OTLP_PROTOCOL is "${protocol}": use ` +
    "http/protobuf or http/json";
}
