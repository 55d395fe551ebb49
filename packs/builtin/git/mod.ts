/** The `git` pack. */

export { createGitPack } from "./pack.ts";
export type { GitSettings } from "./settings.ts";
