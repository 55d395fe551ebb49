/** The versions of packages, kept for a while. */

import type { LRUCache } from "lru-cache";
import { createJobWorkers, type JobOptions } from "../kit/job_workers.ts";
import { loadListing } from "./listing.ts";
import type { PackageName } from "./package_name.ts";
import { registryUrls } from "./registry_urls.ts";
import type { PackageSettings } from "./settings.ts";
import type { Releases } from "./work/releases.ts";

/** Packages that are kept. */
const KEPT = 500;

export interface ReleaseDeps {
  readonly fetch: typeof fetch;
  readonly environment: Readonly<Record<string, string>>;
}

export interface ReleaseSource extends AsyncDisposable {
  of(asked: PackageName, signal: AbortSignal): Promise<Releases>;
  /** Does a job of the worker. */
  work<T>(kind: string, input: object, options: Pick<JobOptions, "what" | "signal">): Promise<T>;
}

/** Makes the source; nothing is asked for before it is wanted. */
export function createReleaseSource(settings: PackageSettings, deps: ReleaseDeps): ReleaseSource {
  const { timeoutMs, cacheTtlMs: ttl } = settings;
  const urls = registryUrls(settings, deps.environment);
  const workers = createJobWorkers({ module: new URL("./work/worker.ts", import.meta.url) });
  let cache: Promise<LRUCache<string, Releases>> | undefined;
  const kept = () =>
    cache ??= import("lru-cache").then(({ LRUCache }) => new LRUCache({ max: KEPT }));

  async function work<T>(
    kind: string,
    input: object,
    { what, signal }: Pick<JobOptions, "what" | "signal">,
  ): Promise<T> {
    return await workers.run({ kind, input }, { what, signal, timeoutMs }) as T;
  }

  return {
    work,
    async of(asked, signal) {
      const { registry, name } = asked;
      const key = `${registry}:${name}`;
      const known = (await kept()).get(key);
      if (known) return known;
      const listing = await loadListing(asked, { urls, settings, fetch: deps.fetch, signal });
      const what = `read the versions of "${name}" in ${registry}`;
      const releases = await work<Releases>("releases", { registry, name, ...listing }, {
        what,
        signal,
      });
      if (ttl > 0) (await kept()).set(key, releases, { ttl });
      return releases;
    },
    [Symbol.asyncDispose]: async () => await workers[Symbol.asyncDispose](),
  };
}
