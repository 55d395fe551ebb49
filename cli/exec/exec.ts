/** `toolscript exec`: runs a toolscript and shows its output as it comes. */

import type { RunReply } from "#runtime";
import { refusedText } from "#runtime/refused";
import type { Client } from "../client.ts";
import { connect } from "../gateway_connection.ts";
import { type Context, timeoutOption } from "../context.ts";
import { interruptible } from "../interruptible.ts";
import { type Confirm, createConfirm, failureText } from "./confirm.ts";
import { createElicit } from "./elicit.ts";
import { gatherFiles } from "./gather.ts";
import { createOutput } from "./output.ts";
import { readScript, type Script } from "./script.ts";
import { runTrusting } from "../trust/grant.ts";
import { streamRun } from "./stream.ts";

export function exec(context: Context): Promise<number> {
  const { io } = context;
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
      look: context.options.look === true ? true : undefined,
      timeout,
      plan: context.options.plan,
    };
    const confirm = createConfirm(context);
    const reply = await runTrusting(context, async () => {
      await using connection = await connect(context);
      const { client } = connection;
      return await runOnce(context, { client, body, script, confirm, signal });
    });
    await printReply(context, reply, confirm);
    return reply.ok ? 0 : 1;
  });
}

interface Run {
  readonly client: Client;
  readonly body: Record<string, unknown>;
  readonly script: Script;
  readonly confirm?: Confirm;
  readonly signal: AbortSignal;
}

async function runOnce(context: Context, run: Run): Promise<RunReply> {
  const { io } = context;
  const output = createOutput(context);
  const stdin = run.script.usesStdin ? new Blob([]).stream() : undefined;
  const reply = await streamRun(run.client, {
    body: run.body,
    signal: run.signal,
    stdin: () => stdin ?? io.stdin.readable,
    wait: context.options.wait === true,
    confirm: run.confirm,
    elicit: createElicit(context),
    onEvent: (event) => output.take(event),
  });
  await output.end();
  return reply;
}

async function printReply(
  { print, options }: Context,
  reply: RunReply,
  confirm: Confirm | undefined,
): Promise<void> {
  if (options.json === true) return await print.json(reply);
  for (const warning of reply.warnings) await print.warn(warning);
  if (!reply.ok) await print.failure(failureText(reply, confirm));
  else if (reply.plan !== undefined) await print.json(reply.plan);
  else if (reply.value !== undefined) await print.json(reply.value);
  // The text of a failure has it.
  if (reply.ok && reply.refused) await print.warn(refusedText(reply.refused));
}
