/** Door of the configuration: files and environment in, one checked `Config` out. */

export { ConfigError, formatFinding } from "./error.ts";
export { findFile, findProject } from "./find.ts";
export { configJsonSchema } from "./json_schema.ts";
export {
  createLiveConfig,
  type LiveConfig,
  type LiveConfigOptions,
  type ReloadOutcome,
} from "./live.ts";
export { loadConfig, type LoadOptions } from "./load.ts";
export { holdsForTools, type Trust } from "./trust/trust.ts";
export { createToolsGuard } from "./trust/tools_guard.ts";
export type { ServerStub, TrustItems } from "./trust/items.ts";
export { countDropped, countLifted } from "./trust/lifted.ts";
export { linesOf } from "./trust/lines.ts";
export { createTrustAsker, type TrustAsker } from "./trust/asker.ts";
export { removeTrust, writeTrust } from "./trust/store.ts";
export { writtenServers } from "./tree/read.ts";
export { packSettings } from "./pack_settings.ts";
export { isSecretName, isSecretOption } from "./secrets.ts";
export type { Config, ConfigFinding, LogThreshold } from "./types.ts";
