/** Worker of the `text` pack. */

import { type JobTable, serveJobs } from "../../../jobs/protocol.ts";
import { recase, slug } from "./casing.ts";
import { compare } from "./compare.ts";
import { count, truncate } from "./count.ts";
import { decode, encode, hash } from "./encoding.ts";
import { findAll, replaceAll, splitBy } from "./pattern.ts";
import { fillIn } from "./template.ts";

serveJobs(
  {
    compare,
    count,
    decode,
    encode,
    fillIn,
    findAll,
    hash,
    recase,
    replaceAll,
    slug,
    splitBy,
    truncate,
  } satisfies JobTable,
);
