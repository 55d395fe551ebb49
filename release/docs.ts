// deno-lint-ignore-file no-console -- a script for maintainers
/** `deno task docs`: writes the parts of `docs/` that are made from the code. */

import { configJsonSchema } from "#config";
import { pagesWithTables } from "./tables.ts";

for (const { url, text, current } of pagesWithTables()) {
  if (text === current) continue;
  Deno.writeTextFileSync(url, text);
  console.log(`Wrote ${url.pathname}`);
}
const schema = new URL("../docs/onetool.schema.json", import.meta.url);
Deno.writeTextFileSync(schema, JSON.stringify(configJsonSchema(), null, 2) + "\n");
