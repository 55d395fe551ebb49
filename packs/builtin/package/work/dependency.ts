/** Dependencies of a manifest. */

import type { RegistryName } from "../package_name.ts";

export interface Dependency {
  readonly name: string;
  readonly registry: RegistryName;
  /** Part of the manifest: `devDependencies`. */
  readonly group: string;
  /** Range of versions that it allows. */
  readonly range: string;
}

export interface Skipped {
  readonly name: string;
  readonly spec: string;
  readonly reason: string;
}
