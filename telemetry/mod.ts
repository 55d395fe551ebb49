/** Door of the telemetry: logs and traces, where they go, and what may stand in them. */

export {
  type LogPlaceOptions,
  type LogPlaces,
  logPlaces,
  type LogSettings,
  type StderrSink,
} from "./options.ts";
export { openTelemetry } from "./telemetry.ts";
export type { FileLog, LogThreshold, StderrLog, Telemetry, TelemetryOptions } from "./types.ts";
