/** MCP servers as packs, and the processes behind them. */

export type { ServerInfo } from "./connection.ts";
export { childEnvironment } from "./environment.ts";
export { type GroupCommand, type ProcessGroup, startGroup } from "./process_group.ts";
export { createServerPack, type ServerPack, type ServerPackDeps } from "./server_pack.ts";
export type { ToolProblem } from "./tool_list.ts";
export { createWatcher, type Watcher } from "./watcher.ts";
