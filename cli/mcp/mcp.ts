/** `toolscript mcp`: MCP on stdin and stdout, in front of the project's gateway. */

import type { Context } from "../context.ts";

/** Serves the client by `npm/bridge/`, which takes little memory for as long as the client lives. */
export async function mcp({ io, options }: Context): Promise<number> {
  const words = Object.entries(options).flatMap(([name, value]) =>
    value === true ? [`--${name}`] : [`--${name}`, value]
  );
  return await io.serveClient(words);
}
