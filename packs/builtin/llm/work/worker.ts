/** Worker that validates answers, because a schema may be slow. */

import type { JsonValue } from "#base";
import { serveJobs } from "../../../jobs/protocol.ts";
import { check, type CheckInput } from "../../data/work/validate.ts";

serveJobs({
  check: ({ value, schema }: CheckInput & { readonly value: JsonValue }) =>
    check(value, { schema }),
});
