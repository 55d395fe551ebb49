/** Rules of `robots.txt` (RFC 9309). */

// @ts-types="./robots_parser.d.ts"
import robotsParser from "robots-parser";

export interface PermitsInput {
  readonly robots: string;
  readonly url: string;
  readonly agent: string;
}

/** True if the rules allow the URL. */
export function permits({ robots, url, agent }: PermitsInput): boolean {
  const rules = robotsParser(new URL("/robots.txt", url).href, robots);
  return rules.isAllowed(url, agent) ?? true;
}
