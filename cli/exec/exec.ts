/** `toolscript exec`: runs a toolscript and shows its output as it comes. */

import type { RunReply } from "#runtime";
import { refusedText } from "#runtime/refused";
import { type Context, timeoutOption } from "../context.ts";
import { interruptible } from "../interruptible.ts";
import { gatherFiles } from "./gather.ts";
import { runProgram } from "./run_program.ts";
import { readScript } from "./script.ts";

export function exec(context: Context): Promise<number> {
  const { io, options } = context;
  return interruptible(io, async (signal) => {
    const timeout = timeoutOption(context);
    const script = await readScript(context);
    const { files, outside } = await gatherFiles(script);
    const body = {
      script: script.text,
      file: script.file,
      files,
      outside: outside.length > 0 ? outside : undefined,
      cwd: io.cwd,
      args: context.scriptArgs,
      stdin: "later",
      look: options.look === true ? true : undefined,
      timeout,
      plan: options.plan,
    };
    const stdin = script.usesStdin ? new Blob([]).stream() : io.stdin.readable;
    return await runProgram(context, { body, signal, stdin, stdout: "stdout", show });
  });
}

/** Prints the value; the text of a failure has the calls that were refused. */
async function show(
  { plan, value, refused, refused_total }: RunReply,
  { print }: Context,
): Promise<void> {
  if (plan !== undefined) await print.json(plan);
  else if (value !== undefined) await print.json(value);
  if (refused) await print.warn(refusedText(refused, refused_total));
}
