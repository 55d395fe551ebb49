/** Door of the gateway: HTTP in front of everything. */

export { type AppDeps, createApp } from "./app.ts";
export { createGuard, type Guard } from "./guard.ts";
export { listen, type Listener } from "./listen.ts";
export { processIdentity } from "./process_id.ts";
export {
  findGateways,
  openRunFolder,
  removeRunFile,
  type RunFile,
  writeRunFile,
  type WriteRunFileOptions,
} from "./run_file.ts";
