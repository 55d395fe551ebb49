/** Trust in a configuration that Toolscript has just written itself. */

import { escapeUnseen } from "#base";
import { writeTrust } from "#config";
import { loadAnew } from "../config.ts";
import type { Context } from "../context.ts";
import { askTrust } from "./grant.ts";

export interface TrustOwnOptions {
  /** True where files of the project itself name what was taken over: a person is asked, and without
   * a terminal nothing is trusted. */
  readonly isForeign?: boolean;
}

/** Trusts the new configuration, unless the project starts more than the imported servers: packs, or
 * servers of `.mcp.json` that were omitted. */
export async function trustOwn(
  context: Context,
  imported: number,
  { isForeign = false }: TrustOwnOptions = {},
): Promise<void> {
  const { io, print } = context;
  const { trust } = await loadAnew(context);
  const { kind, project, hash, tools, secrets, items } = trust;
  if (kind === "none") return;
  if (items.starts.length > imported || items.changes.length > 0 || hash === undefined) {
    await print.warn(
      "Cannot trust the project: it starts more than was written now: toolscript trust",
    );
    return;
  }
  if (isForeign && kind === "untrusted") {
    // Without a person the answer is a no.
    if (await askTrust(context, trust)) return;
    await print.warn("Not trusted: the project itself ships what it starts: toolscript trust");
    return;
  }
  await writeTrust(io.home, project, { hash, tools, secrets, ...items });
  for (const item of items.starts) await print.say(`Trusted: ${escapeUnseen(item)}`);
}
