/** Worker of the `data` pack. */

import { type JobTable, serveJobs } from "../../../jobs/protocol.ts";
import { difference } from "./difference.ts";
import { bounded } from "./plain.ts";
import { query, type QueryInput } from "./query.ts";
import { read, type Source } from "./read.ts";
import { schemaOf } from "./schema_of.ts";
import { table, type TableInput } from "./table.ts";
import { check, type CheckInput } from "./validate.ts";
import { limited, write, type WriteOptions } from "./write.ts";

serveJobs(
  {
    parse: ({ source, maxResult }: { source: Source; maxResult: number }) =>
      bounded(read(source).value, maxResult),
    query: ({ source, ...input }: { source: Source } & QueryInput) =>
      query(read(source).value, input),
    convert: ({ source, ...options }: { source: Source } & WriteOptions) =>
      write(read(source).value, options),
    diff: (
      { before, after, ...options }: { before: Source; after: Source; key?: string; limit: number },
    ) => difference(read(before).value, read(after).value, options),
    table: (
      { source, maxBytes, ...options }: { source: Source; maxBytes: number } & TableInput,
    ) => limited(table(read(source).value, options), maxBytes),
    schema: ({ source }: { source: Source }) => schemaOf(read(source).value),
    validate: ({ source, ...input }: { source: Source } & CheckInput) =>
      check(read(source).value, input),
  } satisfies JobTable,
);
