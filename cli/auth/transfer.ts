/** `toolscript auth export` and `import`: a sign-in for a machine without a browser. */

import { AuthError, openTransfer, sealTransfer } from "#packs/auth";
import { readConfig } from "../config.ts";
import type { Context } from "../context.ts";
import { CliError } from "../error.ts";
import { recordLoan } from "./loan.ts";
import { findServer, labelOf, openStore } from "./server.ts";

const VARIABLE = "TOOLSCRIPT_PASSPHRASE";

/** Prints a sign-in, encrypted under the passphrase. Throws `CliError`. */
export async function exportSignIn(context: Context): Promise<number> {
  const { target, config } = await findServer(context);
  const { io: { now } } = context;
  const started = now();
  const passphrase = passphraseOf(context);
  const credential = await openStore(context).read(target);
  if (!credential?.tokens) {
    throw new CliError(3, `Not signed in to ${labelOf(target)}: ${target.command}`);
  }
  const sealed = await sealTransfer(credential, passphrase);
  const loan = { pack: config.name, at: started, ms: now() - started, by: "auth export" } as const;
  await recordLoan(await readConfig(context), loan);
  await context.print.data(sealed);
  return 0;
}

/** Stores the sign-in that stdin brings. Throws `CliError`. */
export async function importSignIn(context: Context): Promise<number> {
  const { io, print } = context;
  const passphrase = passphraseOf(context);
  const text = await new Response(io.stdin.readable).text();
  const credential = await openTransfer(text, passphrase).catch((error) => {
    if (!(error instanceof AuthError)) throw error;
    throw new CliError(1, `Cannot import a sign-in: ${error.reason}`);
  });
  if (!credential) {
    const why = "another passphrase, or no text of auth export";
    throw new CliError(1, `Cannot import a sign-in: ${why}`);
  }
  const store = openStore(context);
  using _lock = await store.lock(credential, "lock");
  await store.write(credential);
  const { server, url, account } = credential;
  const as = account === "" ? "" : ` as "${account}"`;
  await print.say(`Imported the sign-in to "${server}"${as} (${url})`);
  return 0;
}

function passphraseOf({ io, command }: Context): string {
  const passphrase = io.env[VARIABLE];
  if (passphrase) return passphrase;
  throw new CliError(2, `Cannot ${command}: no passphrase: put it into ${VARIABLE}`);
}
