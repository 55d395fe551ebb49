/** Child processes of packs: groups, their watcher, stderr and environment. */

export { childEnvironment } from "./environment.ts";
export { Tail } from "./tail.ts";
export { type GroupCommand, type ProcessGroup, startGroup } from "./process_group.ts";
export { createWatcher, type Watcher } from "./watcher.ts";
