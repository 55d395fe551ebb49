/** Door of the assembly: the parts of a gateway, built and handed to one another. */

export { checkPacks } from "./check_packs.ts";
export { type GatewayOptions, startGateway } from "./gateway.ts";
