/** Door of the packs: everything callable, and the registry that holds it. */

export { PackError, type PackErrorCode, type PackErrorOptions } from "./errors.ts";
export type { HttpServer, ServerConfig, StdioServer } from "./server_config.ts";
export * from "./types.ts";
