/** `toolscript hook session-start`: starts the gateway of a session, exports its URL to the shell. */

import { findShared } from "../connect.ts";
import { type Context, timeoutOption } from "../context.ts";
import { startDetached } from "../gateway/detach.ts";
import { exportVariable } from "./env_file.ts";
import { readHookInput } from "./input.ts";

/** Less than the two seconds that the agent waits, with the start of this program included. */
const TIMEOUT_S = 1.6;

export async function sessionStart(context: Context): Promise<number> {
  const { io, print } = context;
  const { session, cwd } = await readHookInput(io);
  const key = { project: cwd, file: null, session };
  const find = () => findShared(context, key);
  const gateway = await find() ?? await startDetached(io, {
    words: ["gateway", "start", `--session=${session}`],
    cwd,
    timeoutMs: (timeoutOption(context) ?? TIMEOUT_S) * 1_000,
    find,
  });
  const file = io.env.CLAUDE_ENV_FILE;
  if (file) await exportVariable(file, { name: "TOOLSCRIPT_GATEWAY_URL", value: gateway.url });
  else await print.say(`CLAUDE_ENV_FILE is not set: the gateway is at ${gateway.url}`);
  return 0;
}
