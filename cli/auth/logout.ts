/** `toolscript auth logout`: revokes a sign-in where the server offers it, and forgets it. */

import { signOut } from "#packs/auth";
import type { Context } from "../context.ts";
import { CliError } from "../error.ts";
import { findServer, labelOf, openStore } from "./server.ts";

/** Always forgets; throws `CliError` where the revocation failed. */
export async function logout(context: Context): Promise<number> {
  const { io, print } = context;
  const { target } = await findServer(context);
  const label = labelOf(target);
  const { isForgotten, failure } = await signOut(target, {
    store: openStore(context),
    fetch: io.fetch,
  });
  if (failure !== undefined) {
    const text =
      `Signed out of ${label} here, but the server did not revoke the sign-in: end it there`;
    throw new CliError(1, text, { cause: failure });
  }
  await print.say(isForgotten ? `Signed out of ${label}` : `Not signed in to ${label}`);
  return 0;
}
