/** Door to the running gateways, for clients: it loads no gateway. */

export { processIdentity } from "./process_id.ts";
export { findGateways, openRunFolder, type RunFile } from "./run_file.ts";
export { markVariables } from "./variables_mark.ts";
