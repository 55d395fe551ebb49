/** `toolscript run`: one command as an agent would send it. */

import type { RunReply } from "#runtime";
import { runProgram } from "../exec/run_program.ts";
import { type Context, textOption, timeoutOption } from "../context.ts";
import { CliError } from "../error.ts";
import { interruptible } from "../interruptible.ts";

export function run(context: Context): Promise<number> {
  return interruptible(context.io, async (signal) => {
    const body = await requestOf(context);
    const stdin = new Blob([]).stream();
    const show = ({ text }: RunReply) => context.print.data(text);
    // Output of the program is not part of its reply.
    return await runProgram(context, { body, signal, stdin, stdout: "stderr", show });
  });
}

async function requestOf(context: Context): Promise<Record<string, unknown>> {
  const { io, operands, options } = context;
  const [command] = operands;
  if (command === undefined) {
    throw new CliError(2, "Cannot run: no command: give a COMMAND, or - for stdin");
  }
  return {
    command: command === "-" ? await new Response(io.stdin.readable).text() : command,
    cwd: io.cwd,
    sanitize: options.sanitize,
    explain: options.explain,
    plan: options.plan,
    look: options.look === true ? true : undefined,
    timeout: timeoutOption(context),
    format: textOption(context, "format"),
  };
}
