/** `toolscript auth renew`: renews one token for another process of this program, whose death must not
 * lose it. */

import { silent } from "#base";
import { createCredentialStore, serveRenewal } from "#packs/auth";
import type { Context } from "../context.ts";

/** Reads the target from stdin; the outcome goes to stdout, the token to the store. */
export async function renew({ io, print }: Context): Promise<number> {
  const openStore = (home: string) => createCredentialStore({ home, log: silent });
  const request = await new Response(io.stdin.readable).text();
  const answer = await serveRenewal(request, { openStore, fetch: io.fetch, now: io.now });
  // The process that asked may be gone.
  await print.data(answer).catch(() => {});
  return 0;
}
