/** Door of the telemetry: logs and traces, where they go, and what may stand in them. */

export { openTelemetry } from "./telemetry.ts";
export type { FileLog, LogThreshold, StderrLog, Telemetry, TelemetryOptions } from "./types.ts";
