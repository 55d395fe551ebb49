/** `toolscript token`: the token of the project's gateway, for clients that take a command for it. */

import { readConfig } from "../config.ts";
import { findShared } from "../gateway_connection.ts";
import type { Context } from "../context.ts";
import { CliError } from "../error.ts";

/** Prints the token, with `--headers` as headers in JSON. Throws `CliError` where no gateway runs. */
export async function token(context: Context): Promise<number> {
  const gateway = await findShared(context, await readConfig(context));
  if (!gateway) {
    throw new CliError(3, "No gateway of this project runs: toolscript gateway start --detach");
  }
  const headers = { Authorization: `Bearer ${gateway.token}` };
  await context.print.data(
    context.options.headers === true ? JSON.stringify(headers) : gateway.token,
  );
  return 0;
}
