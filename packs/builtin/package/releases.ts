/** Versions of packages, with a cache. */

import { createSemaphore, type NameAsker } from "#base";
import type { LRUCache } from "lru-cache";
import { createJobWorkers, type JobWorkers } from "../../jobs/workers.ts";
import { loadListing } from "./listing.ts";
import type { PackageName } from "./package_name.ts";
import { registryUrls } from "./registry_urls.ts";
import type { PackageSettings } from "./settings.ts";

/** Lists that are loaded at once: a megabyte or two each, and up to eight. */
const MOST_AT_ONCE = 16;
const MOST_OF_RUN = 12;
/** Maximum number of packages in the cache, and of their characters. */
const MAX_CACHED = 500;
const MAX_CACHED_CHARS = 32 * 2 ** 20;

export interface ReleaseDeps {
  readonly fetch: typeof fetch;
  readonly environment: Readonly<Record<string, string>>;
}

export interface ReleaseSource extends AsyncDisposable {
  /** Loads the releases of a package, as JSON for the workers. Throws `PackError`. */
  of(name: PackageName, asker: NameAsker): Promise<string>;
  readonly workers: JobWorkers;
}

/** Makes the source. */
export function createReleaseSource(settings: PackageSettings, deps: ReleaseDeps): ReleaseSource {
  const { timeoutMs, memoryMb, cacheTtlMs: ttl } = settings;
  const urls = registryUrls(settings, deps.environment);
  const module = new URL("./work/worker.ts", import.meta.url);
  const workers = createJobWorkers({ module, readsFiles: true, timeoutMs, memoryMb });
  /** Large lists are loaded and read two at a time, of a run one after the other. */
  const large = createSemaphore(2, 1);
  const places = createSemaphore(MOST_AT_ONCE, MOST_OF_RUN);
  let lru: Promise<LRUCache<string, string>> | undefined;
  const sizes = { max: MAX_CACHED, maxSize: MAX_CACHED_CHARS };
  const cache = () =>
    lru ??= import("lru-cache").then(({ LRUCache }) =>
      new LRUCache({ ...sizes, sizeCalculation: ({ length }) => length })
    );

  async function load(target: PackageName, { signal, run }: NameAsker): Promise<string> {
    const { registry, name } = target;
    using _place = await places.acquire(signal, run);
    let leave: (() => void) | undefined;
    const onLarge = async (signal: AbortSignal) => void (leave = await large.acquire(signal, run));
    try {
      const options = { urls, settings, fetch: deps.fetch, signal, onLarge };
      const { bytes, contentType } = await loadListing(target, options);
      const job = { kind: "releases", input: { registry, name, contentType } };
      const what = `read the versions of "${name}" in ${registry}`;
      return await workers.run<string>(job, { what, signal, run, bytes });
    } finally {
      leave?.();
    }
  }

  return {
    workers,
    async of(target, asker) {
      const key = `${target.registry}:${target.name}`;
      const cached = (await cache()).get(key);
      if (cached) return cached;
      const releases = await load(target, asker);
      if (ttl > 0) (await cache()).set(key, releases, { ttl });
      return releases;
    },
    [Symbol.asyncDispose]: async () => await workers[Symbol.asyncDispose](),
  };
}
