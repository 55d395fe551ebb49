/** `toolscript trust`: shows what a project would start and read, and asks for trust in it. */

import { escapeUnseen } from "#base";
import { findProject, removeTrust, type Trust } from "#config";
import { loadAnew, printWarnings, withStoredTrust } from "../config.ts";
import type { Context } from "../context.ts";
import { CliError } from "../error.ts";
import { reloadGateways } from "../gateway/reload.ts";
import { rowOf } from "../terminal/sink.ts";
import { askTrust, grant } from "./grant.ts";
import { trustChanges, trustText } from "./show.ts";

export async function trust(context: Context): Promise<number> {
  const { io, options, print } = context;
  if (options.revoke === true) return await revoke(context);
  const config = await loadAnew(withStoredTrust(context));
  const { trust, trust: { kind } } = config;
  const project = escapeUnseen(trust.project);
  await printWarnings(config, context);
  if (kind !== "untrusted") {
    if (options.json === true) await print.json(toJson(trust, kind));
    else if (kind === "none") await print.say(`Nothing of ${project} needs trust`);
    else await print.data(`${project} is trusted.\n${listOf(trust, context)}`);
    return 0;
  }
  if (options.yes === true) await grant(context, trust);
  const isTrusted = options.yes === true ||
    (options.json !== true && await askTrust(context, trust));
  if (options.json === true) await print.json(toJson(trust, isTrusted ? "trusted" : kind));
  else if (isTrusted || !io.person) await print.data(`${project}\n${listOf(trust, context)}`);
  if (isTrusted) {
    await print.say(`Trusted: ${project}`);
    return 0;
  }
  if (io.person && options.json !== true) return 1;
  throw new CliError(
    2,
    `Cannot ask whether ${project} is trusted: there is no terminal: review the list, then run ` +
      "toolscript trust --yes",
  );
}

/** The list for the terminal, or for a pipe, which may lead to one. */
function listOf(trust: Trust, { io: { stdout } }: Context): string {
  return trustText(trust, rowOf(stdout));
}

async function revoke(context: Context): Promise<number> {
  const { io, options, print } = context;
  const project = await Deno.realPath(await findProject(io));
  const wasTrusted = await removeTrust(io.home, project);
  if (wasTrusted) await reloadGateways(context, { isPrivateToo: true });
  if (options.json === true) await print.json({ project, revoked: wasTrusted });
  else {
    const place = escapeUnseen(project);
    await print.say(wasTrusted ? `No longer trusted: ${place}` : `Not trusted: ${place}`);
  }
  return 0;
}

function toJson(trust: Trust, state: Trust["kind"]): Record<string, unknown> {
  const { project, items, before } = trust;
  return { project, state, ...items, ...(before ? trustChanges(trust) : {}) };
}
