/** `toolscript hook session-start`: starts the gateway of a session, exports its URL to the shell. */

import { findShared } from "../gateway_connection.ts";
import { type Context, timeoutOption } from "../context.ts";
import { startDetached } from "../gateway/detach.ts";
import { readIfThere } from "../paths.ts";
import { shellWord } from "../shell.ts";
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

/** Sets `name` in the file: replaces its line, keeps all others. Throws `RangeError` for a value of
 * several lines. */
export async function exportVariable(
  path: string,
  { name, value }: { readonly name: string; readonly value: string },
): Promise<void> {
  if (/[\n\0]/.test(value)) {
    throw new RangeError(`Cannot export ${name}: its value has several lines`);
  }
  const line = `export ${name}=${shellWord(value)}`;
  const text = await readIfThere(path);
  const lines = text.split("\n");
  const ours = lines.filter((other) => other.startsWith(`export ${name}=`));
  if (ours.length === 0) {
    // Appending keeps what other hooks write at the same time.
    const start = text === "" || text.endsWith("\n") ? "" : "\n";
    await Deno.writeTextFile(path, `${start}${line}\n`, { append: true });
  } else if (ours.length > 1 || ours[0] !== line) {
    const otherLines = lines.filter((other) => !ours.includes(other)).join("\n");
    await Deno.writeTextFile(
      path,
      `${otherLines}${otherLines === "" || otherLines.endsWith("\n") ? "" : "\n"}${line}\n`,
    );
  }
}
