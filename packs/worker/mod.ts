/** Extension packs: files of the user's, each in a process of its own. */

export { checkPack, type CheckPackDeps } from "./check/check_pack.ts";
export {
  type CheckedPack,
  type CheckedPacks,
  checkPacks,
  type CheckPacksOptions,
} from "./check/check_packs.ts";
export {
  type Discovered,
  type DiscoverOptions,
  discoverPacks,
  takenNames,
} from "./discover/discover.ts";
export { createExtensionPlans, type ExtensionOptions, type ExtensionPlans } from "./plans.ts";
export { type PackHeader, type ReadHeader, readHeader } from "./describe/header.ts";
export { findUv, SDK } from "./process/launch.ts";
export { readSettings } from "./settings.ts";
export type {
  ArgumentForm,
  DescribedTool,
  DescribeModule,
  ModuleSource,
  PackDescription,
  PackFile,
  PackFinding,
  PackSettings,
} from "./types.ts";
export {
  type CallAnother,
  createWorkerPack,
  type WorkerPack,
  type WorkerPackDeps,
} from "./worker_pack.ts";
export { type WatchedFolders, watchPacks } from "./discover/watch_packs.ts";
