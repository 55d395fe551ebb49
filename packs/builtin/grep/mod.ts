/** The `grep` pack. */

export { createGrepPack } from "./pack.ts";
