/** The `package` pack. */

export { createPackagePack } from "./pack.ts";
