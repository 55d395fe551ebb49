/** Dependencies as a manifest names them. */

import type { RegistryName } from "../package_name.ts";

export interface Dependency {
  readonly name: string;
  readonly registry: RegistryName;
  /** Where in the manifest: `devDependencies`. */
  readonly group: string;
  /** The versions it asks for. */
  readonly range: string;
}

export interface Skipped {
  readonly name: string;
  readonly spec: string;
  readonly reason: string;
}
