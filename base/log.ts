/** The one shape through which every part reports: a level, a sentence, and facts beside it. */

export type LogLevel = "debug" | "info" | "warning" | "error";

/** Reports one event. Facts are plain data; secrets never go into them. */
export type Log = (level: LogLevel, message: string, facts?: Record<string, unknown>) => void;

/** Log that drops everything. */
export const silent: Log = () => {};
