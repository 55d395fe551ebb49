/** MCP servers as packs, and the processes behind them. */

export type { AnswerServer, Connection, ServerInfo, ServerNotice } from "./connection.ts";
export { ConnectError, serverRefusal } from "./failure.ts";
export { connectRemote, type RemoteOptions } from "./remote.ts";
export {
  createServerPack,
  type ServerChange,
  type ServerPack,
  type ServerPackDeps,
} from "./server_pack.ts";
export { createToolFilter } from "./tool_filter.ts";
export type { ToolProblem } from "./tool_list.ts";
