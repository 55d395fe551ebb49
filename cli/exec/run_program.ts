/** A program at the gateway of the command: its questions, its output and its reply. */

import type { RunReply } from "#runtime";
import { readConfig } from "../config.ts";
import { type Context, gatewayOption } from "../context.ts";
import { CliError } from "../error.ts";
import { openShared } from "../gateway/open_shared.ts";
import { connect } from "../gateway_connection.ts";
import { runTrusting } from "../trust/grant.ts";
import { createConfirm, failureText } from "./confirm.ts";
import { createElicit } from "./elicit.ts";
import { createOutput, type OutputTarget } from "./output.ts";
import { streamRun } from "./stream.ts";

export interface ProgramRun extends OutputTarget {
  /** Body of the request. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
  readonly stdin: ReadableStream<Uint8Array>;
  /** Prints the reply of a program that did not fail, without `--json`. */
  readonly show: (reply: RunReply, context: Context) => Promise<void>;
}

/** Runs a program, shows its output as it comes, and prints its reply. Returns the exit code. */
export async function runProgram(
  context: Context,
  { body, signal, stdin, stdout, show }: ProgramRun,
): Promise<number> {
  const { options, print } = context;
  if (options.plan !== undefined && options.look === true) {
    throw new CliError(2, "Cannot plan a look: it makes no writes: leave out --plan or --look");
  }
  const confirm = createConfirm(context);
  const waits = options.wait === true;
  const reply = await runTrusting(context, signal, async () => {
    if (options.plan === true || waits) await openLasting(context);
    await using connection = await connect(context);
    const output = createOutput(context, { stdout });
    const reply = await streamRun(connection.client, {
      body,
      signal,
      stdin: () => stdin,
      wait: waits,
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
    if (reply.ok) await show(reply, context);
    else await print.failure(failureText(reply, { confirm, waits }));
  }
  return reply.ok ? 0 : 1;
}

/** Opens a gateway that outlives this command: a plan lives where it was made, and a page where
 * questions are answered belongs to a shared gateway. */
async function openLasting(context: Context): Promise<void> {
  if (gatewayOption(context) !== undefined) return;
  const config = await readConfig(context);
  await openShared(context, { ...config, sameVariables: config.variables });
}
