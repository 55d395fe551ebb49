/** MCP servers as packs, and the processes behind them. */

export type { AnswerServer, Connection, ServerInfo, ServerNotice } from "./connect/connection.ts";
export { ConnectError, serverRefusal } from "./connect/failure.ts";
export { connectRemote, type RemoteOptions } from "./connect/remote.ts";
export {
  createServerPack,
  type ServerChange,
  type ServerPack,
  type ServerPackDeps,
} from "./server_pack.ts";
export { createToolFilter } from "./tools/tool_filter.ts";
export type { ToolProblem } from "./tools/tool_list.ts";
