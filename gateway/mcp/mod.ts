/** Door for a process that speaks MCP in front of a gateway; it loads little, to start fast. */

export { buildInstructions, RUN_TOOL, runTool } from "./definition.ts";
export { forwarded, relayed } from "./forward.ts";
export { createProtocolServer } from "./protocol_server.ts";
export { serveMcpStdio, type StdioServer } from "./stdio.ts";
export * from "./types.ts";
