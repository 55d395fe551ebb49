/** Settings of the `web` pack. */

import type { Settings } from "../../rules/rule.ts";
import {
  choice,
  count,
  megabytes,
  pack,
  seconds,
  text,
  texts,
  timeout,
} from "../../rules/makers.ts";

export const WEB = pack("The pack web: fetches pages", {
  allow_private: texts(
    "Hosts that may be fetched from although they are not public: `localhost:3000`, " +
      "`*.internal`, `10.1.0.0/16`",
  ),
  timeout: timeout("Seconds that one page may take", 30),
  max_mb: megabytes("Largest page, unpacked, MB", { default: 10, max: 512 }),
  cache_ttl: seconds("Seconds that a page is used again, unless its server says less", {
    default: 300,
  }),
  cache_mb: megabytes("Memory for pages that are kept, MB; 0 keeps none", {
    default: 32,
    min: 0,
    max: 4096,
  }),
  concurrent: count("Pages that one batch fetches at the same time", { default: 8, max: 64 }),
  user_agent: text("`User-Agent` of requests", {
    default: "Mozilla/5.0 (compatible; Toolscript)",
  }),
  robots: choice(
    "`obey` fetches nothing that the `robots.txt` of a public host forbids",
    ["obey", "ignore"],
    { default: "obey" },
  ),
  memory_mb: count("Heap of the process that reads one page, MB", {
    default: 512,
    min: 64,
    max: 65_536,
  }),
});
export type WebSettings = Settings<typeof WEB>;
