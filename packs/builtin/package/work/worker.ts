/** Worker that reads responses of registries, which may have megabytes, and compares versions. */

import { serveJobs } from "../../kit/job_protocol.ts";
import { readManifest } from "./manifest.ts";
import { pick } from "./pick.ts";
import { rate } from "./rate.ts";
import { readReleases } from "./releases.ts";

serveJobs({ releases: readReleases, pick, rate, manifest: readManifest });
