/** Server and account that a command about sign-ins is for. */

import { silent } from "#base";
import {
  type AuthTarget,
  authTarget,
  createCredentialStore,
  type CredentialStore,
} from "#packs/auth";
import type { ServerConfig } from "#packs";
import { complete, readConfig } from "../config.ts";
import { type Context, textOption } from "../context.ts";
import { CliError } from "../error.ts";

export interface AuthServer {
  readonly config: ServerConfig;
  readonly target: AuthTarget;
}

/** Finds the server that the operand and `--account` name. Throws `CliError`. */
export async function findServer(context: Context): Promise<AuthServer> {
  const [name] = context.operands;
  if (name === undefined) {
    throw new CliError(2, `Cannot ${context.command}: no server: name one of the config`);
  }
  const { servers } = await complete(context, await readConfig(context));
  const ofName = servers.filter((server) => serverName(server) === name || server.name === name);
  if (ofName.length === 0) throw await unknownServer(name, servers);
  const account = textOption(context, "account");
  const config = account === undefined
    ? ofName.find((server) => server.name === name)
    : ofName.find((server) => accountName(server) === account);
  if (!config) throw unknownAccount(name, account ?? "", ofName);
  const target = authTarget(config);
  if (target) return { config, target };
  const why = config.kind === "stdio"
    ? "it is a program: give it what it needs in env"
    : "its headers in the config have Authorization: take it out, or write oauth";
  throw new CliError(2, `Cannot sign in to "${name}": ${why}`);
}

/** Every server that may want a sign-in, once for each account. */
export async function authServers(context: Context): Promise<readonly AuthServer[]> {
  const { servers } = await complete(context, await readConfig(context));
  return servers.filter(({ enabled }) => enabled).flatMap((config) => {
    const target = authTarget(config);
    return target ? [{ config, target }] : [];
  });
}

/** Opens the store of the home folder. */
export function openStore({ io: { home }, print, options }: Context): CredentialStore {
  const log = options.verbose === true
    ? (_: string, message: string) => void print.warn(message)
    : silent;
  return createCredentialStore({ home, log });
}

/** Name and account for a person. */
export function labelOf({ server, account }: AuthTarget): string {
  return account === "" ? `"${server}"` : `"${server}" as "${account}"`;
}

function serverName(server: ServerConfig): string {
  return server.kind === "stdio" ? server.name : server.account?.server ?? server.name;
}

function accountName(server: ServerConfig): string | undefined {
  return server.kind === "stdio" ? undefined : server.account?.name;
}

async function unknownServer(name: string, servers: readonly ServerConfig[]): Promise<CliError> {
  const { listed, nearest } = await import("#packs/nearest");
  const names = [...new Set(servers.map(serverName))];
  const others = names.length === 0 ? "the config has none" : listed(nearest(name, names));
  return new CliError(3, `No server ${JSON.stringify(name)} in the config: ${others}`);
}

function unknownAccount(name: string, account: string, servers: readonly ServerConfig[]): CliError {
  const names = servers.flatMap((server) => accountName(server) ?? []);
  const others = names.length === 0 ? "it has none: leave out --account" : names.join(", ");
  return new CliError(3, `No account ${JSON.stringify(account)} of "${name}": ${others}`);
}
