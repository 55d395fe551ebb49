/** Door of the telemetry: logs, traces, where they go, and how secrets are kept out of them. */

export {
  type LogPlaceOptions,
  type LogPlaces,
  logPlaces,
  type LogSettings,
  type StderrSink,
} from "./options.ts";
export { openTelemetry } from "./telemetry.ts";
export type { FileLog, LogThreshold, StderrLog, Telemetry, TelemetryOptions } from "./types.ts";
