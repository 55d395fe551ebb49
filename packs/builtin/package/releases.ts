/** Versions of packages, with a cache. */

import type { LRUCache } from "lru-cache";
import { createJobWorkers, type JobWorkers } from "../kit/job_workers.ts";
import { loadListing } from "./listing.ts";
import type { PackageName } from "./package_name.ts";
import { registryUrls } from "./registry_urls.ts";
import type { PackageSettings } from "./settings.ts";
import type { Releases } from "./work/releases.ts";

/** Maximum number of packages in the cache. */
const MAX_CACHED = 500;

export interface ReleaseDeps {
  readonly fetch: typeof fetch;
  readonly environment: Readonly<Record<string, string>>;
}

export interface ReleaseSource extends AsyncDisposable {
  /** Loads the releases of a package. Throws `PackError`. */
  of(name: PackageName, signal: AbortSignal): Promise<Releases>;
  readonly workers: JobWorkers;
}

/** Makes the source. */
export function createReleaseSource(settings: PackageSettings, deps: ReleaseDeps): ReleaseSource {
  const { timeoutMs, cacheTtlMs: ttl } = settings;
  const urls = registryUrls(settings, deps.environment);
  const module = new URL("./work/worker.ts", import.meta.url);
  const workers = createJobWorkers({ module, timeoutMs });
  let lru: Promise<LRUCache<string, Releases>> | undefined;
  const cache = () =>
    lru ??= import("lru-cache").then(({ LRUCache }) => new LRUCache({ max: MAX_CACHED }));

  return {
    workers,
    async of(target, signal) {
      const { registry, name } = target;
      const key = `${registry}:${name}`;
      const cached = (await cache()).get(key);
      if (cached) return cached;
      const listing = await loadListing(target, { urls, settings, fetch: deps.fetch, signal });
      const job = { kind: "releases", input: { registry, name, ...listing } };
      const what = `read the versions of "${name}" in ${registry}`;
      const releases = await workers.run<Releases>(job, { what, signal });
      if (ttl > 0) (await cache()).set(key, releases, { ttl });
      return releases;
    },
    [Symbol.asyncDispose]: async () => await workers[Symbol.asyncDispose](),
  };
}
