/** Door of the packs: everything callable, and the registry that holds it. */

export { SLOW_CHECK } from "./registry/arguments.ts";
export type { InTurn } from "./registry/call_turns.ts";
export { callWithin } from "./registry/call_within.ts";
export {
  createEffects,
  type DeclaredEffects,
  type Effect,
  type EffectOrigin,
  type EffectReader,
  EFFECTS,
  mayRepeat,
} from "./effect.ts";
export { PackError, type PackErrorCode } from "./errors.ts";
export { reasonText, stopAsking, unconfirmedState } from "./unconfirmed.ts";
export { MAX_RETRIES } from "./registry/retry.ts";
export {
  camelCase,
  isCallOf,
  isSnippet,
  type NamedPack,
  nameTools,
  packGoesBy,
  packProperties,
  snakeCase,
  sourceOf,
  toolProperties,
} from "./registry/names.ts";
export type { HttpServer, ServerConfig, StdioServer } from "./server_config.ts";
export type { McpLogLevel, Peer, ServerLog, ServerQuestion } from "./peer.ts";
export type {
  Args,
  CallOptions,
  CallOrigin,
  CallQuestion,
  CallResult,
  Content,
  InsteadCall,
  JsonSchema,
  Look,
  Pack,
  PackState,
  PackStatus,
  RefusedCall,
  ToolEntry,
  ToolSpec,
} from "./types.ts";
export { createBuiltinPacks } from "./builtin/mod.ts";
export { inFolder } from "./builtin/file/open_folder.ts";
export { untrustedDetails, untrustedServers } from "./registry/untrusted.ts";
export {
  type ClosedPaths,
  type ClosedPathsDeps,
  type ClosedSources,
  createClosedPaths,
  createLookProcess,
  createLooks,
  type LooksDeps,
} from "./closed/mod.ts";
export {
  type Acceptance,
  acceptPins,
  type ChangeKind,
  ConnectError,
  createPins,
  createServerPack,
  createTlsFetch,
  createToolFilter,
  forgetShown,
  keepShown,
  type PinChange,
  type Pins,
  readPinChanges,
  resultValue,
  type ServerChange,
  type ServerNotice,
  type ServerPack,
  type ServerPackDeps,
  serverRefusal,
  showRefusal,
  type ToolChange,
  wereShown,
} from "./mcp/mod.ts";
export {
  type ArgumentForm,
  type CheckedPack,
  type CheckedPacks,
  checkPack,
  checkPacks,
  createExtensionPlans,
  type DescribedTool,
  type DescribeModule,
  discoverPacks,
  findUv,
  type ModuleSource,
  type PackDescription,
  type PackFinding,
  readHeader,
  reservedNames,
  SDK,
  watchPacks,
  type WorkerPack,
} from "./worker/mod.ts";
export { childEnvironment, createWatcher, type Watcher } from "./process/mod.ts";
export { createLocalPack, type LocalTool } from "./local.ts";
export { missingDirect } from "./registry/missing_direct.ts";
export { compileNamePattern, expandBraces } from "./registry/name_pattern.ts";
export { listed, nearest } from "./nearest.ts";
export { createPolicy, type Policy, type PolicyLists } from "./registry/policy.ts";
export { overlappingServer, standsBackNow } from "./registry/overlap.ts";
export type { CallRule } from "./registry/rules/call_rules.ts";
export { createPackKeeper } from "./registry/pack_keeper.ts";
export { purposeOf } from "./purpose.ts";
export { createProjPack, type Project } from "./proj.ts";
export { parametersFirst, resolvePrefixes } from "./registry/prefix.ts";
export { createRegistry, type Registry } from "./registry/registry.ts";
export {
  callSignature,
  parameterNames,
  parameterSchema,
  signature,
  spelled,
} from "./registry/signature.ts";
export type { CallEnd, CallWitness, StartedCall } from "./registry/witness.ts";
export { argumentCheck } from "./registry/validate.ts";
