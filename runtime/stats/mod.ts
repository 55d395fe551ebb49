/** Door of the statistics: rows of runs and calls, and reports. */

export { type AuditEvent, type AuditRow, auditRow } from "./audit/audit.ts";
export { auditOfConfirmation, auditOfQuestion, auditOfTrust, rejectedRun } from "./audit/audit.ts";
export { type AuditRecord, readAudit } from "./audit/read_audit.ts";
export { duration, short, size, whole } from "./html/numbers.ts";
export { reportFragment, writeReport } from "./html/write_report.ts";
export { jsonOf } from "./record/json_text.ts";
export { createStatsReader, StatsError, type StatsReaderOptions } from "./read/stats_reader.ts";
export { createStatistics, type Statistics, type StatisticsOptions } from "./statistics.ts";
export { createStatsStore, type StatsStoreOptions } from "./store/store.ts";
export { DISABLED, invalidPeriod, METHOD, periodOf, summaryOf } from "./summary.ts";
export {
  type CallRow,
  type Period,
  PERIODS,
  type StatsData,
  type StatsQuery,
  type StatsReader,
  type StatsStore,
  type ToolStats,
} from "./types.ts";
