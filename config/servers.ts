/** Servers in use, made of checked ones. */

import { resolvePath } from "#files";
import { attempt } from "#base";
import type { HttpServer, ServerConfig } from "#packs";
import { type OAuthSettings, RESERVED, TRANSPORTS } from "#packs/server";
import { expandPath, type RuleContext } from "#packs/rules";
import { filterPatternProblem } from "./rules.ts";
import type { CheckedServer } from "./schema.ts";

/** Mistake in a server: its key, and the way out. */
export interface ServerProblem {
  readonly key?: string;
  readonly message: string;
  readonly fix: string;
}

type ServerOptions = Pick<RuleContext, "home" | "project"> & { readonly isHomes: boolean };

/** Makes the servers in use of a checked one, one for each account, or returns its mistake. */
export function resolveServer(
  name: string,
  raw: CheckedServer,
  options: ServerOptions,
): readonly ServerConfig[] | ServerProblem {
  const server = resolveOne(name, raw, options);
  if ("message" in server) return server;
  if (raw.accounts.length === 0) return [server];
  if (server.kind === "stdio") {
    return { key: "accounts", message: "a program has none", fix: "Remove them" };
  }
  const accounts = [...new Set(raw.accounts)];
  const wrong = accounts.find((account) => !/^[A-Za-z0-9_-]{1,64}$/.test(account));
  if (wrong !== undefined) {
    const message = `${JSON.stringify(wrong)} is no name of an account`;
    return { key: "accounts", message, fix: 'Write letters, digits, "_" and "-"' };
  }
  return accounts.map((account, at) => {
    const own = { server: name, name: account, isFirst: at === 0 };
    return { ...server, name: at === 0 ? name : `${name}_${account}`, account: own };
  });
}

function resolveOne(
  name: string,
  raw: CheckedServer,
  options: ServerOptions,
): ServerConfig | ServerProblem {
  const common = {
    name,
    enabled: isEnabled(raw),
    include: raw.include,
    exclude: raw.exclude,
    // The replies of a server elsewhere are text from outside.
    external: raw.external ?? (raw.url !== undefined && raw.command === undefined),
    timeoutMs: raw.timeoutMs,
    learn: raw.learn,
  };
  const type = raw.type ?? raw.transport;
  const nameRefusal = nameProblem(name);
  if (nameRefusal) return nameRefusal;
  const problem = shapeProblem(raw, type) ?? valueProblem(raw) ?? filterProblem(raw);
  if (problem && common.enabled) return problem;
  if (raw.url !== undefined && type !== "stdio") {
    const { url, headers, tls } = raw;
    const oauth = signInOf(raw);
    const kind = type ? TRANSPORTS[type] : "auto" as const;
    return { ...common, kind, url, headers, ...tlsOf(tls), ...(oauth ? { oauth } : {}) };
  }
  return {
    ...common,
    kind: "stdio",
    command: commandPath(raw.command ?? "", { ...options, cwd: raw.cwd }),
    args: raw.args,
    env: raw.env,
    cwd: raw.cwd ?? options.project,
    isDefaultCwd: raw.cwd === undefined,
    ...(options.isHomes ? { isHomes: true } : {}),
    idleTimeoutMs: raw.idleTimeoutMs,
    keepAlive: raw.keepAlive,
  };
}

/** Nothing where no file is named. */
function tlsOf(tls: CheckedServer["tls"]): Pick<HttpServer, "tls"> {
  return Object.keys(tls).length > 0 ? { tls } : {};
}

/** Tells that a server is switched on. */
export function isEnabled(raw: CheckedServer): boolean {
  return raw.enabled && !raw.disabled;
}

/** Sign-in settings; undefined where none are written. */
function signInOf({ oauth }: CheckedServer): OAuthSettings | undefined {
  const entries = Object.entries(oauth).filter(([, value]) => value !== undefined);
  if (entries.length === 0) return undefined;
  return { grant: "authorization_code", ...Object.fromEntries(entries) };
}

function nameProblem(name: string): ServerProblem | undefined {
  if (!Object.hasOwn(RESERVED, name)) return undefined;
  const message = `the name is that of ${RESERVED[name]}`;
  return { message, fix: `Rename it, to "${name}-server" for one` };
}

/** Path of a command. A name is left to the search in PATH. A path becomes absolute, except a
 * relative one of a home server without a folder of its own: any open project could ship that
 * program. */
function commandPath(
  command: string,
  { home, project, isHomes, cwd }: Pick<RuleContext, "home" | "project"> & {
    readonly isHomes: boolean;
    readonly cwd: string | undefined;
  },
): string {
  const isRelative = command.startsWith("./") || command.startsWith("../");
  if (isRelative && isHomes) return cwd === undefined ? command : resolvePath(cwd, command);
  const isPath = isRelative || command.startsWith("~/");
  return isPath ? expandPath(command, { home, base: project }) : command;
}

function shapeProblem(raw: CheckedServer, type: string | undefined): ServerProblem | undefined {
  if (raw.type && raw.transport && raw.type !== raw.transport) {
    return {
      key: "transport",
      message: `type is "${raw.type}", transport is "${raw.transport}"`,
      fix: "Keep one of them",
    };
  }
  if (raw.command && raw.url) {
    return { key: "url", message: "it has both a command and a url", fix: "Keep one of them" };
  }
  if (!raw.command && (type === "stdio" || !raw.url)) {
    if (type && type !== "stdio") {
      return { message: "it has no url", fix: 'Add "url: https://…"' };
    }
    return { message: "it has no command", fix: 'Add "command: …", or "url: https://…"' };
  }
  if (!raw.url && type && type !== "stdio") {
    return { key: "type", message: "it has no url", fix: 'Add "url: https://…"' };
  }
  return undefined;
}

function valueProblem(raw: CheckedServer): ServerProblem | undefined {
  if (raw.url !== undefined) {
    const url = URL.canParse(raw.url) ? new URL(raw.url) : undefined;
    if (url?.protocol !== "http:" && url?.protocol !== "https:") {
      return { key: "url", message: "it is no http address", fix: 'Write "https://…"' };
    }
  }
  const problem = signInProblem(raw);
  if (problem) return problem;
  if ((raw.tls.cert === undefined) !== (raw.tls.key === undefined)) {
    const message = "a certificate and its key go together";
    return { key: "tls", message, fix: "Write both cert and key" };
  }
  for (const [name, value] of Object.entries(raw.headers)) {
    if (!isHeader(name, value)) {
      const message = `${JSON.stringify(name)} is no header`;
      return { key: "headers", message, fix: "A header is one line, its name letters and hyphens" };
    }
  }
  for (const [name, value] of Object.entries(raw.env)) {
    if (name === "" || /[=\0]/.test(name) || value.includes("\0")) {
      const message = `${JSON.stringify(name)} cannot stand in an environment`;
      return { key: "env", message, fix: 'Remove "=" and NUL' };
    }
  }
  const words = [raw.command ?? "", raw.cwd ?? "", ...raw.args];
  if (words.some((word) => word.includes("\0"))) {
    return { key: "args", message: "it holds a NUL character", fix: "Remove it" };
  }
  return undefined;
}

function signInProblem({ oauth }: CheckedServer): ServerProblem | undefined {
  for (const name of ["metadataUrl", "clientMetadataUrl"] as const) {
    const value = oauth[name];
    const url = value === undefined ? undefined : URL.parse(value);
    if (url === null || url && !/^https?:$/.test(url.protocol)) {
      return { key: "oauth", message: "it holds no http address", fix: 'Write "https://…"' };
    }
  }
  const { grant, clientId, clientSecret, privateKey } = oauth;
  if (grant !== "client_credentials") return undefined;
  if (clientId !== undefined && (clientSecret !== undefined || privateKey !== undefined)) return;
  const fix = 'Add "client_id", and "client_secret" or "private_key"';
  return { key: "oauth", message: "client_credentials needs a client", fix };
}

function isHeader(name: string, value: string): boolean {
  // The platform decides which headers are valid.
  return attempt(() => new Headers([[name, value]])) !== undefined;
}

function filterProblem(raw: CheckedServer): ServerProblem | undefined {
  for (const key of ["include", "exclude"] as const) {
    const problem = raw[key].map(filterPatternProblem).find((one) => one !== undefined);
    if (problem) return { key, ...problem };
  }
  return undefined;
}
