/** The thread that reads pages: other people's HTML is heavy at best and hostile at worst. */

import { serveJobs } from "../../kit/job_protocol.ts";
import { convert } from "./convert.ts";
import { permits } from "./permits.ts";

serveJobs({ convert, permits });
