/** Door of the packs: everything callable, and the registry that holds it. */

export { SLOW_CHECK } from "./registry/arguments.ts";
export { callWithin, type InnerCall } from "./registry/call_within.ts";
export { PackError, type PackErrorCode, type PackErrorOptions } from "./errors.ts";
export {
  camelCase,
  goesBy,
  type NamedPack,
  type NamedTools,
  nameTools,
  packGoesBy,
  packProperties,
  snakeCase,
  sourceOf,
  toolProperties,
} from "./registry/names.ts";
export type { HttpServer, ServerConfig, StdioServer } from "./server_config.ts";
export * from "./peer.ts";
export * from "./types.ts";
export { createBuiltinPacks } from "./builtin/mod.ts";
export type { BuiltinSettings } from "./builtin/settings.ts";
export type { BuiltinDeps } from "./builtin/kit/deps.ts";
export { untrustedDetails, type UntrustedServer, untrustedServers } from "./registry/untrusted.ts";
export {
  type ClosedPaths,
  type ClosedPathsDeps,
  type ClosedSources,
  createClosedPaths,
} from "./closed/mod.ts";
export * from "./mcp/mod.ts";
export * from "./worker/mod.ts";
export {
  childEnvironment,
  createWatcher,
  type GroupCommand,
  type ProcessGroup,
  startGroup,
  type Watcher,
} from "./process/mod.ts";
export { createLocalPack, type LocalTool } from "./local.ts";
export { missingDirect } from "./registry/missing_direct.ts";
export { compileNamePattern } from "./registry/name_pattern.ts";
export { listed, nearest } from "./nearest.ts";
export {
  createPolicy,
  type Policy,
  type PolicyDecision,
  type PolicyLists,
  type PolicyOptions,
  type ToolName,
} from "./registry/policy.ts";
export { createPackKeeper, type PackKeeper, type PackPlan } from "./registry/pack_keeper.ts";
export { createProjPack, type Project } from "./proj.ts";
export { resolvePrefixes } from "./registry/prefix.ts";
export { createRegistry, type Registry, type RegistryOptions } from "./registry/registry.ts";
export {
  callSignature,
  parameterNames,
  schemaType,
  signature,
  spelled,
} from "./registry/signature.ts";
export type { BegunCall, CallEnd, CallWitness } from "./registry/witness.ts";
export { type ArgumentCheck, argumentCheck, type ArgumentProblem } from "./registry/validate.ts";
