/** The command line at a terminal of its own, as a person has it. */

import { cli, type CliOptions } from "./cli.ts";

/** What is typed, and the words on the screen that are waited for before; at once without them. */
export interface Typed {
  readonly after?: string;
  readonly text: string;
}

/** Python alone gets a terminal without a library of its own. */
const SCRIPT = `
import json, os, pty, select, sys, time
steps, command = json.loads(sys.argv[1]), sys.argv[2:]
pid, terminal = pty.fork()
if pid == 0:
    os.execvp(command[0], command)
screen, seen, quiet = b"", 0, time.time()
while True:
    ready, _, _ = select.select([terminal], [], [], 0.05)
    if ready:
        try:
            part = os.read(terminal, 4096)
        except OSError:
            part = b""
        if not part:
            break
        screen += part
        quiet = time.time()
    after = steps[0].get("after") if steps else None
    at = screen.find((after or "").encode(), seen)
    # Typed when the words have been there for a while: who asks is reading by then.
    if steps and (after is None or at >= 0 and time.time() - quiet > 0.4):
        seen = at + len(after or "")
        os.write(terminal, steps.pop(0)["text"].encode())
        quiet = time.time()
sys.stdout.buffer.write(screen)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
`;

export interface TerminalOptions extends CliOptions {
  readonly typed: readonly Typed[];
  /** What a shell has behind the command: `| cat`. */
  readonly behind?: string;
}

/** Runs a command of the command line; what is typed comes in this order. */
export async function atTerminal(
  args: readonly string[],
  { typed, behind, ...options }: TerminalOptions,
): Promise<{ readonly code: number; readonly screen: string }> {
  const shell = behind === undefined ? [] : ["sh", "-c", `"$@" ${behind}`, "sh"];
  const through = ["python3", "-c", SCRIPT, JSON.stringify(typed), ...shell];
  const { code, stdout } = await cli(args, { ...options, through });
  return { code, screen: stdout };
}
