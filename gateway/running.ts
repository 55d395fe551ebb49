/** Door to the gateways that run, for those who look for one: it loads no gateway. */

export { processIdentity } from "./process_id.ts";
export { findGateways, openRunFolder, type RunFile } from "./run_file.ts";
