/** `toolscript auth header`: a fresh token for another program of this machine. */

import { silent } from "#base";
import {
  AuthError,
  createRenewer,
  createTokenKeeper,
  type CredentialStore,
  type ServerAuth,
} from "#packs/auth";
import { readConfig } from "../config.ts";
import type { Context } from "../context.ts";
import { CliError } from "../error.ts";
import { type AuthServer, findServer, labelOf, openStore } from "./server.ts";

/** Prints the header as JSON. Throws `CliError`, with exit code 3 without a sign-in. */
export async function header(context: Context): Promise<number> {
  const { io, print } = context;
  const server = await findServer(context);
  const { target } = server;
  const store = openStore(context);
  const started = performance.now();
  const token = await tokenOf(openAuth(context, server, store), target.command);
  const { recordLoan } = await import("./loan.ts");
  // Before it is printed: its reader could end this process.
  await recordLoan(await readConfig(context), {
    pack: server.config.name,
    at: io.now(),
    ms: performance.now() - started,
    by: "auth header",
  });
  await print.data(JSON.stringify({ Authorization: `Bearer ${token}` }));
  return 0;
}

function openAuth({ io }: Context, { target }: AuthServer, store: CredentialStore): ServerAuth {
  const deps = { store, fetch: io.fetch, now: io.now };
  const renew = createRenewer({ ...deps, program: io.program, home: io.home });
  return createTokenKeeper({ ...deps, log: silent, renew }).authOf(target);
}

async function tokenOf(auth: ServerAuth, command: string): Promise<string> {
  const label = labelOf(auth.target);
  try {
    const token = await auth.freshToken();
    if (token !== undefined) return token;
  } catch (error) {
    if (!(error instanceof AuthError)) throw error;
    throw new CliError(1, `Cannot renew the sign-in to ${label}: ${error.reason}`);
  }
  throw new CliError(3, `Not signed in to ${label}: ${command}`);
}
