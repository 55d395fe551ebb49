/** Door for a process that speaks MCP in front of a gateway; it loads little, to start fast. */

export { buildInstructions, LOOK_TOOL, ownTools, RUN_TOOL } from "./run/definition.ts";
export { forwarded } from "./client/forward.ts";
export { CWD_HEADER } from "./client/forward.ts";
export { createProtocolServer } from "./transport/protocol_server.ts";
export { serveMcpStdio, type StdioServer } from "./transport/stdio.ts";
export { type FirstAnswers, firstAnswers } from "./transport/first_answers.ts";
export * from "./types.ts";
