/** Worker that reads pages, because foreign HTML may be heavy or hostile. */

import { serveJobs } from "../../kit/job_protocol.ts";
import { convert } from "./convert.ts";
import { permits } from "./permits.ts";

serveJobs({ convert, permits });
