/** Choice of the gateway of a command: the named one, the shared one of the project, or one inside
 * this process. */

import { inspect } from "node:util";
import { isForeignListener, isThisMachine, type Log, type LogLevel } from "#base";
import type { Config } from "#config";
import type { RunFile } from "#gateway/running";
import { type Client, createClient } from "./client.ts";
import { type Context, gatewayOption, textOption } from "./context.ts";
import { CliError } from "./error.ts";

export interface Connection extends AsyncDisposable {
  readonly client: Client;
  /** True for a gateway inside this process. */
  readonly own: boolean;
}

const WAY = 'start one with "toolscript gateway start", and unset ' +
  "TOOLSCRIPT_GATEWAY_URL or change --gateway";
const EXPLICIT_TIMEOUT_MS = 5_000;
const RUNNING_TIMEOUT_MS = 2_000;
/** For clients that would start another one: many at once may keep it busy. */
const CLIENT_TIMEOUT_MS = 10_000;

/** Connects to the gateway of this invocation; disposal closes one inside this process. */
export async function connect(context: Context): Promise<Connection> {
  const url = gatewayOption(context);
  if (url === undefined) return await unnamed(context);
  const config = textOption(context, "config");
  if (config !== undefined) {
    await context.print.warn(`--config ${config} has no effect: the gateway at ${url} has its own`);
  }
  return await connectTo(context, url);
}

/** Connects to the gateway at a URL. Throws `CliError` when it does not respond. */
export async function connectTo({ io }: Context, url: string): Promise<Connection> {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new CliError(2, `Cannot use the gateway ${JSON.stringify(url)}: not an HTTP URL`);
  }
  const { findGateways } = await import("#gateway/running");
  const file = (await findGateways(io.home)).find((entry) => sameAddress(entry.url, url));
  const token = file?.token ?? io.env.TOOLSCRIPT_TOKEN;
  // Its own address: another user may listen at another of this machine, which "localhost" may mean.
  const client = createClient({ url: file?.url ?? url, token, fetch: io.fetch });
  if (!await client.isHealthy(EXPLICIT_TIMEOUT_MS)) {
    throw new CliError(
      3,
      `Cannot reach the gateway at "${client.url}": it does not answer: ${WAY}`,
    );
  }
  // Asked of the program that has answered: before, the address may have been free.
  const why = await whyStrange(new URL(client.url), token);
  if (why === undefined) return borrowed(client);
  throw new CliError(3, `Cannot use the gateway at "${client.url}": ${why}: ${WAY}`);
}

/** Reason why a program at an address of this machine is no gateway of the user, as any other user's
 * may listen there once a gateway has ended. */
async function whyStrange(
  { hostname, port, protocol }: URL,
  token: string | undefined,
): Promise<string | undefined> {
  if (!await isThisMachine(hostname)) return undefined;
  const number = port === "" ? protocol === "https:" ? 443 : 80 : Number(port);
  if (isForeignListener({ hostname, port: number })) {
    return "a program of another user answers there";
  }
  return token ? undefined : "no gateway of yours runs there, and TOOLSCRIPT_TOKEN is not set";
}

async function unnamed(context: Context): Promise<Connection> {
  const { io } = context;
  const { complete, loadWhole, readConfig } = await import("./config.ts");
  const config = await readConfig(context);
  const key = { ...config, sameVariables: config.variables, patienceMs: RUNNING_TIMEOUT_MS };
  const shared = await findShared(context, key);
  if (shared) return borrowed(createClient({ ...shared, fetch: io.fetch }));
  const gateway = await io.startGateway({
    config: onFreePort(await complete(context, config)),
    load: async () => onFreePort(await loadWhole(context)),
    log: logQuietly(context),
    verbose: context.options.verbose === true,
    shared: false,
    session: null,
    lazy: true,
  });
  const { url, token, close } = gateway;
  return {
    client: createClient({ url, token, fetch: io.fetch }),
    own: true,
    [Symbol.asyncDispose]: () => close(),
  };
}

/** Adapts the configuration to a private gateway: a free port on loopback. */
export function onFreePort(config: Config): Config {
  return { ...config, gateway: { ...config.gateway, host: "127.0.0.1", port: 0, graceMs: 0 } };
}

/** Key of a shared gateway: its session, or its project and configuration file. */
export interface GatewayKey {
  readonly project: string;
  readonly file: string | null;
  readonly session?: string;
  /** Hash over the variables that the gateway must have been started with. */
  readonly sameVariables?: string;
  /** Time to wait for its response: longer by default where another would be started. */
  readonly patienceMs?: number;
}

/** Finds the shared gateway of a session, or of a project and configuration, if one responds. */
export async function findShared(
  { io }: Pick<Context, "io">,
  key: GatewayKey,
): Promise<RunFile | undefined> {
  const { sameVariables } = key;
  const patienceMs = key.patienceMs ??
    (sameVariables === undefined ? RUNNING_TIMEOUT_MS : CLIENT_TIMEOUT_MS);
  const { findGateways } = await import("#gateway/running");
  for (const entry of await findGateways(io.home)) {
    const fits = key.session === undefined
      ? entry.project === key.project && entry.config === key.file
      : entry.session === key.session;
    if (!entry.shared || !fits) continue;
    if (!await hasVariables(io.home, { entry, sameVariables })) continue;
    const isHealthy = await createClient({ ...entry, fetch: io.fetch }).isHealthy(patienceMs);
    // Asked of the program that has answered: another user's may have taken the port.
    const { hostname, port } = new URL(entry.url);
    if (isHealthy && !isForeignListener({ hostname, port: Number(port) })) return entry;
  }
  return undefined;
}

async function hasVariables(
  home: string,
  { entry, sameVariables }: Pick<GatewayKey, "sameVariables"> & { readonly entry: RunFile },
): Promise<boolean> {
  if (sameVariables === undefined || entry.variables === null) return true;
  const { markVariables } = await import("#gateway/running");
  return entry.variables === await markVariables(home, sameVariables);
}

/** Makes a gateway stay that was started for the clients of `toolscript mcp`. */
export async function keepRunning({ io }: Pick<Context, "io">, gateway: RunFile): Promise<void> {
  if (!gateway.auto) return;
  const client = createClient({ ...gateway, fetch: io.fetch });
  await (await client.post("/stay", {})).body?.cancel();
}

/** Log of a gateway in this process: warnings and errors, with `--verbose` everything. */
export function logTo({ print, options }: Context): Log {
  const verbose = options.verbose === true;
  return (level, message, facts) => {
    const text = message + (verbose && facts ? ` ${inspect(facts)}` : brief(facts ?? {}));
    // A closed stderr must not end the gateway.
    tell(level, text).catch(() => {});
  };

  async function tell(level: LogLevel, text: string): Promise<void> {
    if (level === "error") await print.error(text);
    else if (level === "warning") await print.warn(text);
    else if (verbose) await print.say(`${level}: ${text}`);
  }
}

/** Makes a listener that logs an error which nothing caught, with its place. */
export function logUncaught(log: Log): (error: unknown) => void {
  return (error) => {
    const text = error instanceof Error ? error.stack ?? error.message : String(error);
    log("error", `An error that nothing caught: please report it: ${text}`);
  };
}

/** Names the server, tool or pack of a message. */
function brief(facts: Readonly<Record<string, unknown>>): string {
  const names = ["server", "tool", "pack", "file", "reason"].filter((name) =>
    typeof facts[name] === "string"
  );
  const parts = names.map((name) => `${name} ${JSON.stringify(facts[name])}`);
  return parts.length === 0 ? "" : ` (${parts.join(", ")})`;
}

/** Builds a log without errors: the reply of a failed run reports them already. */
function logQuietly(context: Context): Log {
  const log = logTo(context);
  return (level, message, facts) => {
    if (level !== "error" || context.options.verbose === true) log(level, message, facts);
  };
}

function borrowed(client: Client): Connection {
  return { client, own: false, [Symbol.asyncDispose]: () => Promise.resolve() };
}

/** Compares two URLs; all names of the loopback host are equal. */
export function sameAddress(one: string, other: string): boolean {
  const [a, b] = [new URL(one), new URL(other)];
  return a.port === b.port && a.protocol === b.protocol && isSameHost(a.hostname, b.hostname);
}

function isSameHost(one: string, other: string): boolean {
  const loopback = new Set(["127.0.0.1", "localhost", "[::1]"]);
  return one === other || (loopback.has(one) && loopback.has(other));
}
