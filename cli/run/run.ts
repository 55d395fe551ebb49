/** `toolscript run`: one command as an agent would send it. */

import { connect } from "../gateway_connection.ts";
import { type Context, textOption, timeoutOption } from "../context.ts";
import { CliError } from "../error.ts";
import { createConfirm, failureText } from "../exec/confirm.ts";
import { createElicit } from "../exec/elicit.ts";
import { createOutput } from "../exec/output.ts";
import { streamRun } from "../exec/stream.ts";
import { interruptible } from "../interruptible.ts";
import { runTrusting } from "../trust/grant.ts";

export function run(context: Context): Promise<number> {
  const { io, print, options } = context;
  return interruptible(io, async (signal) => {
    const body = await requestOf(context);
    const confirm = createConfirm(context);
    const reply = await runTrusting(context, async () => {
      await using connection = await connect(context);
      // Output of the program is not part of its reply.
      const output = createOutput(context, { stdout: "stderr" });
      const reply = await streamRun(connection.client, {
        body,
        signal,
        stdin: () => new Blob([]).stream(),
        wait: options.wait === true,
        confirm,
        elicit: createElicit(context),
        onEvent: (event) => output.take(event),
      });
      await output.end();
      return reply;
    });
    if (options.json === true) await print.json(reply);
    else {
      for (const warning of reply.warnings) await print.warn(warning);
      if (reply.ok) await print.data(reply.text);
      else await print.failure(failureText(reply, confirm));
    }
    return reply.ok ? 0 : 1;
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
