/** Child processes of packs: process groups, their watcher, their environment. */

export { childEnvironment } from "./environment.ts";
export { type ProcessGroup, startGroup } from "./process_group.ts";
export { createWatcher, type Watcher } from "./watcher.ts";
