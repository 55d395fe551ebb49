/** Trust in a configuration that Toolscript has just written itself. */

import { escapeUnseen } from "#base";
import { type Trust, type TrustItems, writeTrust } from "#config";
import { trustsAll } from "#files";
import { loadAnew, withStoredTrust } from "../config.ts";
import type { Context } from "../context.ts";
import { askTrust } from "./grant.ts";

export interface Written {
  /** Trust in the project before the command; undefined where its configuration had errors. */
  readonly before: Trust | undefined;
  /** Lines of what the command wrote. */
  readonly lines: Pick<TrustItems, "starts" | "reads">;
  /** True if a pack is among it; otherwise the packs must be unchanged. */
  readonly hasPack?: boolean;
  /** True where files of the project itself name what was taken over: a person is asked, and without
   * a terminal nothing is trusted. */
  readonly isForeign?: boolean;
}

/** Trusts the new configuration where it has nothing but what was written and what was trusted before.
 * About all else a person is asked: the project may add to a server of the user's. */
export async function trustOwn(context: Context, written: Written): Promise<void> {
  const { io, print } = context;
  const { trust } = await loadAnew(withStoredTrust(context));
  const { kind, project, hash, tools, secrets, items } = trust;
  if (kind !== "untrusted") return;
  const isOwn = addsNothing(trust, written);
  if (isOwn && written.isForeign !== true && hash !== undefined) {
    await writeTrust(io.home, project, { hash, tools, secrets, ...items });
    for (const item of written.lines.starts) await print.say(`Trusted: ${escapeUnseen(item)}`);
    return;
  }
  if (trustsAll(io.env)) return;
  // Without a person the answer is a no.
  if (hash !== undefined && await askTrust(context, trust)) return;
  await print.warn(
    isOwn
      ? "Not trusted: the project itself ships what it starts: toolscript trust"
      : "Cannot trust the project: it has more than this command wrote: toolscript trust",
  );
}

/** Compares whole lines: a key that the project adds to a server makes another of it. */
function addsNothing({ items, tools }: Trust, { before, lines, hasPack }: Written): boolean {
  const trusted = before?.kind === "trusted" ? before : undefined;
  if (trusted && tools !== trusted.tools && hasPack !== true) return false;
  const covers = (kind: keyof TrustItems, written: readonly string[]) => {
    const lines = [...written, ...trusted?.items[kind] ?? []];
    return items[kind].every((line) => lines.includes(line));
  };
  return covers("starts", lines.starts) && covers("reads", lines.reads) && covers("changes", []);
}
