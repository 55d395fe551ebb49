/** Worker that reads pages, because foreign HTML may be heavy or hostile. */

import { serveJobs } from "../../../jobs/protocol.ts";
import { convert } from "./convert.ts";
// @ts-types="./robots_parser.d.ts"
import robotsParser from "robots-parser";

serveJobs({ convert, permits });

interface PermitsInput {
  readonly robots: string;
  readonly url: string;
  readonly agent: string;
}

/** True if the rules allow the URL. */
function permits({ robots, url, agent }: PermitsInput): boolean {
  const rules = robotsParser(new URL("/robots.txt", url).href, robots);
  return rules.isAllowed(url, agent) ?? true;
}
