/** Door of the configuration. */

export type { Config, ConfigFinding } from "./types.ts";
