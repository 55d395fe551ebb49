/** The `package` pack. */

export { createPackagePack } from "./pack.ts";
export type { PackageSettings } from "./settings.ts";
