/** `toolscript auth status`: sign-ins at the servers of the config. */

import {
  type Credential,
  type CredentialStore,
  expiresAt,
  issuerName,
  type SignInState,
  stateOf,
} from "#packs/auth";
import type { HttpServer } from "#packs";
import type { Context } from "../context.ts";
import { type AuthServer, authServers, openStore } from "./server.ts";

interface Row {
  readonly server: string;
  readonly account: string | null;
  readonly state: SignInState;
  readonly scope: string | null;
  readonly expires_at: string | null;
  readonly issuer: string | null;
}

const PROBE_MS = 3_000;

/** Prints one row for each server and account. A server without a sign-in is asked if it wants one. */
export async function status(context: Context): Promise<number> {
  const { print, options } = context;
  const store = openStore(context);
  const servers = await authServers(context);
  const rows = await Promise.all(servers.map((server) => rowOf(server, store, context)));
  if (options.json === true) await print.json(rows);
  else if (rows.length > 0) await print.data(rows.map(lineOf).join("\n"));
  else await print.say("No server of the config can be signed in to");
  return 0;
}

async function rowOf(
  { config, target }: AuthServer,
  store: CredentialStore,
  { io }: Context,
): Promise<Row> {
  const credential = await store.read(target);
  const isWanted = credential === undefined && !target.isConfigured && config.kind !== "stdio" &&
    await wantsSignIn(config, io.fetch);
  const state = stateOf(credential, {
    now: io.now(),
    isConfigured: target.isConfigured || isWanted,
    renewsItself: target.settings.grant === "client_credentials",
  });
  return {
    server: target.server,
    account: target.account === "" ? null : target.account,
    state,
    ...factsOf(credential),
  };
}

function factsOf(credential: Credential | undefined): Pick<Row, "scope" | "expires_at" | "issuer"> {
  const { tokens } = credential ?? {};
  if (!credential || !tokens) return { scope: null, expires_at: null, issuer: null };
  return {
    scope: tokens.scope ?? null,
    expires_at: expiresAt(credential)?.toISOString() ?? null,
    issuer: issuerName(credential) ?? null,
  };
}

/** Asks a server that was never reached; one that does not answer wants nothing, as far as known. */
async function wantsSignIn({ url, headers }: HttpServer, fetch: typeof globalThis.fetch) {
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: {
        ...headers,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" }),
      redirect: "manual",
      signal: AbortSignal.timeout(PROBE_MS),
    });
    await response.body?.cancel();
    return response.status === 401;
  } catch {
    // Not reachable.
    return false;
  }
}

function lineOf({ server, account, state, expires_at, scope }: Row): string {
  const name = account === null ? server : `${server} (${account})`;
  const facts = [
    ...(expires_at === null ? [] : [`until ${expires_at}`]),
    ...(scope === null || scope === "" ? [] : [scope.replaceAll(/\s+/g, " ")]),
  ];
  return [name.padEnd(24), state.padEnd(10), facts.join(", ")].join("  ").trimEnd();
}
