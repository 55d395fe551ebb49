/** Worker that searches. */

import { serveJobs } from "../../jobs/protocol.ts";
import { findContent, findNames, isIgnored } from "./search.ts";

serveJobs({ names: findNames, content: findContent, leftOut: isIgnored });
