/** `toolscript pins accept`: takes tools as they are now for what they are. */

import { acceptPins, forgetShown, wereShown } from "#packs";
import { complete, readConfig } from "../config.ts";
import type { Context } from "../context.ts";
import { CliError } from "../error.ts";

/** Accepts servers and tools. Nothing is accepted where one of them is unknown (exit code 3), nor one
 * that has changed again since `pins` showed what is different (exit code 1). */
export async function accept(context: Context): Promise<number> {
  const { operands, options, print } = context;
  if (operands.length === 0) {
    throw new CliError(2, "Cannot accept anything: name a server, or a tool as server.tool");
  }
  const config = await complete(context, await readConfig(context));
  const targets = operands.map((operand) => {
    const server = config.servers.find(({ name }) =>
      operand === name || operand.startsWith(`${name}.`)
    );
    if (!server) throw unknown(operand, config.servers.map(({ name }) => name));
    const tool = operand === server.name ? undefined : operand.slice(server.name.length + 1);
    return { operand, server, tool };
  });
  const accepted: string[] = [];
  for (const { operand, server, tool } of targets) {
    const names = await acceptPins({ ...config, mode: config.security.pin }, {
      server,
      tool,
      isSeen: (changes) =>
        wereShown(
          config.cacheDir,
          changes.filter((change) => tool === undefined || change.tool === operand),
        ),
    });
    if (names === undefined) {
      const state = "it is not as toolscript pins showed it";
      throw new CliError(1, `Cannot accept "${operand}": ${state}: look again`);
    }
    if (names.length === 0) {
      const message =
        `Cannot accept "${operand}": its server has sent no such tool: toolscript list`;
      throw new CliError(3, message);
    }
    accepted.push(...names);
  }
  forgetShown(config.cacheDir, accepted);
  if (options.json === true) await print.json(accepted);
  else await print.say(`Accepted ${accepted.length} tools`);
  return 0;
}

function unknown(name: string, servers: readonly string[]): CliError {
  const wayOut = `available: ${servers.join(", ") || "none"}`;
  return new CliError(3, `Cannot accept ${JSON.stringify(name)}: no such server: ${wayOut}`);
}
