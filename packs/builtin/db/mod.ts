/** The `db` pack. */

export { createDbPack } from "./pack.ts";
