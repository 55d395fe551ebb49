/** The `git` pack. */

export { createGitPack } from "./pack.ts";
