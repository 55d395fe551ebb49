/** Which gateway a command uses (INTERFACE, *Running gateways*): the one that was named, the
 * project's shared one, or one inside this process. */

import { inspect } from "node:util";
import type { Config } from "#config";
import type { RunFile } from "#gateway/running";
import type { Log, LogLevel } from "#sandbox";
import { type Client, createClient } from "./client.ts";
import { type Context, textOption } from "./context.ts";
import { CliError } from "./error.ts";

export interface Connection extends AsyncDisposable {
  readonly client: Client;
  /** Whether the gateway is inside this process. */
  readonly own: boolean;
}

const NAMED_TIMEOUT_MS = 5_000;
const FOUND_TIMEOUT_MS = 2_000;

/** Connects to the gateway of this invocation; disposing it ends one inside this process. */
export async function connect(context: Context): Promise<Connection> {
  const named = textOption(context, "gateway") ?? (context.io.env.TOOLSCRIPT_GATEWAY_URL || null);
  return named === null ? await unnamed(context) : await connectNamed(context, named);
}

/** The gateway at an address that a person gave. Throws `CliError` when it does not answer. */
export async function connectNamed({ io }: Context, url: string): Promise<Connection> {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new CliError(2, `Cannot use the gateway ${JSON.stringify(url)}: it is no http address`);
  }
  const { findGateways } = await import("#gateway/running");
  const file = (await findGateways(io.home)).find((entry) => sameAddress(entry.url, url));
  const token = file?.token ?? io.env.TOOLSCRIPT_TOKEN;
  const client = createClient({ url, token, fetch: io.fetch });
  if (await client.isHealthy(NAMED_TIMEOUT_MS)) return borrowed(client);
  throw new CliError(
    3,
    `Cannot reach the gateway at "${client.url}": it does not answer: start one with ` +
      '"toolscript gateway start", and unset TOOLSCRIPT_GATEWAY_URL or change --gateway',
  );
}

async function unnamed(context: Context): Promise<Connection> {
  const { io } = context;
  const { loadAnew, readConfig } = await import("./config.ts");
  const config = await readConfig(context);
  const found = await findShared(context, config);
  if (found) return borrowed(createClient({ ...found, fetch: io.fetch }));
  const gateway = await io.startGateway({
    config: onFreePort(config),
    load: async () => onFreePort(await loadAnew(context)),
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

/** For a gateway that is nobody else's, whatever the shared one is configured to listen on. */
export function onFreePort(config: Config): Config {
  return { ...config, gateway: { ...config.gateway, host: "127.0.0.1", port: 0, graceMs: 0 } };
}

/** The shared gateway of a project and configuration, if one runs and answers. */
export async function findShared(
  { io }: Pick<Context, "io">,
  wanted: { readonly project: string; readonly file: string | null; readonly session?: string },
): Promise<RunFile | undefined> {
  const { findGateways } = await import("#gateway/running");
  for (const entry of await findGateways(io.home)) {
    const fits = wanted.session === undefined
      ? entry.project === wanted.project && entry.config === wanted.file
      : entry.session === wanted.session;
    if (!entry.shared || !fits) continue;
    if (await createClient({ ...entry, fetch: io.fetch }).isHealthy(FOUND_TIMEOUT_MS)) return entry;
  }
  return undefined;
}

/** What a gateway in this process reports: what went wrong, with `--verbose` everything. */
export function logTo({ print, options }: Context): Log {
  const verbose = options.verbose === true;
  return (level, message, facts) => {
    const text = message + (verbose && facts ? ` ${inspect(facts)}` : brief(facts ?? {}));
    // A stderr that nobody reads any more must not end the gateway.
    tell(level, text).catch(() => {});
  };

  async function tell(level: LogLevel, text: string): Promise<void> {
    if (level === "error") await print.error(text);
    else if (level === "warning") await print.warn(text);
    else if (verbose) await print.say(`${level}: ${text}`);
  }
}

/** Which server, tool or pack a message is about, in few words. */
function brief(facts: Readonly<Record<string, unknown>>): string {
  const known = ["server", "tool", "pack", "file", "reason"].filter((name) =>
    typeof facts[name] === "string"
  );
  const parts = known.map((name) => `${name} ${JSON.stringify(facts[name])}`);
  return parts.length === 0 ? "" : ` (${parts.join(", ")})`;
}

/** A failed run's own answer says what a failed request would: that is told once. */
function logQuietly(context: Context): Log {
  const log = logTo(context);
  return (level, message, facts) => {
    if (level !== "error" || context.options.verbose === true) log(level, message, facts);
  };
}

function borrowed(client: Client): Connection {
  return { client, own: false, [Symbol.asyncDispose]: () => Promise.resolve() };
}

/** Whether two addresses are of one gateway, whatever its host is called. */
export function sameAddress(one: string, other: string): boolean {
  const [a, b] = [new URL(one), new URL(other)];
  return a.port === b.port && a.protocol === b.protocol && isSameHost(a.hostname, b.hostname);
}

function isSameHost(one: string, other: string): boolean {
  const loopback = new Set(["127.0.0.1", "localhost", "[::1]"]);
  return one === other || (loopback.has(one) && loopback.has(other));
}
