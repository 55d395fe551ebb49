/** Extension packs: files of the user, each in its own process. */

export { checkPack } from "./check/check_pack.ts";
export { type CheckedPack, type CheckedPacks, checkPacks } from "./check/check_packs.ts";
export { discoverPacks, reservedNames } from "./discover/discover.ts";
export { createExtensionPlans } from "./plans.ts";
export { readHeader } from "./describe/header.ts";
export { findUv, SDK } from "./process/launch.ts";
export type {
  ArgumentForm,
  DescribedTool,
  DescribeModule,
  ModuleSource,
  PackDescription,
  PackFinding,
} from "./types.ts";
export type { WorkerPack } from "./worker_pack.ts";
export { watchPacks } from "./discover/watch_packs.ts";
