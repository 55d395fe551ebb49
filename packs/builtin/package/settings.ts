/** What the config says of the `package` pack. */

/** `packs.package` */
export interface PackageSettings {
  readonly enabled: boolean;
  /** Base addresses; where one is missing, the environment's or the public one is asked. */
  readonly registries: { readonly npm?: string; readonly pypi?: string; readonly jsr?: string };
  /** What one answer of a registry may take. */
  readonly timeoutMs: number;
  readonly maxBytes: number;
  /** Packages that are asked for at the same time. */
  readonly concurrent: number;
  /** How long an answer is good for. */
  readonly cacheTtlMs: number;
}
