/** The `db` pack. */

export { createDbPack } from "./pack.ts";
export type { DbConnection, DbSettings } from "./settings.ts";
