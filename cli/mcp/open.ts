/** `toolscript mcp open`, for `npm/bridge.cjs`: a line with the first answers to the client, then a line
 * with the gateway. Where the client has no gateway with others, this process serves it. */

import { CWD_HEADER } from "#gateway/mcp";
import { readConfig } from "../config.ts";
import type { Context } from "../context.ts";
import { explicitGateway, shareGateway } from "./attach.ts";
import { factsOf } from "./facts.ts";
import { aboutOf, inProject, serve } from "./mcp.ts";

export async function open(invocation: Context): Promise<number> {
  const context = inProject(invocation);
  const config = await readConfig(context);
  await tell(context, await factsOf(config, aboutOf(config, context.io)));
  const shared = explicitGateway(context) === undefined
    ? await shareGateway(context, config)
    : undefined;
  if (shared) {
    const { url, token } = shared;
    const headers = {
      authorization: `Bearer ${token}`,
      [CWD_HEADER]: encodeURIComponent(context.io.cwd),
    };
    await tell(context, { attach: { url: `${url}/attach`, headers } });
    return 0;
  }
  await tell(context, { serves: true });
  // It did not find one, and does not look again.
  return await serve({ ...context, options: { ...context.options, private: true } }, config);
}

async function tell({ io }: Context, line: unknown): Promise<void> {
  await io.stdout.write(new TextEncoder().encode(`${JSON.stringify(line)}\n`));
}
