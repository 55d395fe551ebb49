/** Door of the gateway: HTTP and MCP in front of runtime and packs. */

export { type Attachments, createAttachments } from "./attachments.ts";
export { createCallAnswerer } from "./answer_call.ts";
export { type AppDeps, createApp } from "./app.ts";
export { createEntrance } from "./entrance.ts";
export { createEvents, type Events, serverFeed } from "./events.ts";
export { inboxFeed } from "./question_routes.ts";
export { createGuard, type Guard } from "./guard.ts";
export { listen, type Listener } from "./listen.ts";
export {
  createMcpBackend,
  type GatewayBackend,
  instructionsOf,
  type McpBackendDeps,
} from "./mcp/backend.ts";
export { ownTools } from "./mcp/run/definition.ts";
export { directFilter, directPacks } from "./mcp/direct/direct_tools.ts";
export { createMcpHttp } from "./mcp/transport/http.ts";
export type { McpHttp, McpHttpOptions } from "./mcp/transport/http_types.ts";
export type { ResultSource, StoredResult } from "./mcp/results.ts";
export { createResultSource } from "./mcp/results.ts";
export type { McpRunOptions, RunCommand } from "./mcp/run/run_tool.ts";
export type { PinKeeper, SignInKeeper, TrustKeeper } from "./page/deps.ts";
export { createSessions } from "./page/sessions.ts";
export { removeRunFile, writeRunFile, type WriteRunFileOptions } from "./running/run_file.ts";
