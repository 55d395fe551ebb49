/** Worker that reads responses of registries, which may have megabytes, and compares versions. */

import { serveJobs } from "../../../jobs/protocol.ts";
import { readManifest } from "./manifest.ts";
import { pick, type PickInput } from "./pick.ts";
import { rate, type RateInput } from "./rate.ts";
import { readReleases } from "./releases.ts";

/** Input of a job with the releases as they are cached. */
type WithText<T> = Omit<T, "releases"> & { readonly releases: string };

serveJobs({
  releases: readReleases,
  pick: (input: WithText<PickInput>) => pick({ ...input, releases: JSON.parse(input.releases) }),
  rate: (input: WithText<RateInput>) => rate({ ...input, releases: JSON.parse(input.releases) }),
  manifest: readManifest,
});
