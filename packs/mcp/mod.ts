/** MCP servers as packs, and the processes behind them. */

export { resultValue } from "./call/call_result.ts";
export { showRefusal } from "./call/questions.ts";
export type { ServerNotice } from "./connect/connection.ts";
export { ConnectError, serverRefusal } from "./connect/failure.ts";
export { createTlsFetch } from "./connect/tls_fetch.ts";
export { type Acceptance, acceptPins, type PinChange, readPinChanges } from "./pins/changes.ts";
export { forgetShown, keepShown, wereShown } from "./pins/shown.ts";
export { type ChangeKind, type ToolChange } from "./pins/pin.ts";
export { createPins, type Pins } from "./pins/pins.ts";
export { createServerPack } from "./server_pack.ts";
export type { ServerChange, ServerPack, ServerPackDeps } from "./server_pack_types.ts";
export { createToolFilter } from "./tools/tool_filter.ts";
