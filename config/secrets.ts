/** Values of a configuration that no log may show. */

import type { ServerConfig } from "#packs";
import { attempt } from "#base";

const SECRET_NAME = /pass|pwd|secret|token|key|auth|credential|cookie|session|dsn|private/i;
/** Stricter than for servers: `keywords` is an ordinary setting. */
const PACK_SECRET = /(?:secret|token|passw(?:or)?d|api_?key|credential)s?$/i;
const SECRET_OPTION = /^--?[\w-]*(?:pass|pwd|secret|token|key|auth)[\w-]*(?:=|$)/i;

/** Everything in `secrets.yaml`, and values of servers that are secret by their names or places. */
export function concealed(
  secrets: Iterable<string>,
  servers: readonly ServerConfig[],
): readonly string[] {
  return [...new Set([...secrets, ...servers.flatMap(ofServer)])].filter((value) => value !== "");
}

/** Values in the settings of packs that are secret by their names, or stand in an address; they may
 * come from the environment. */
export function concealedIn(settings: unknown, isSecret = false): readonly string[] {
  if (typeof settings === "string") return isSecret ? [settings] : passwordOf(settings);
  if (typeof settings !== "object" || settings === null) return [];
  return Object.entries(settings).flatMap(([name, value]) =>
    concealedIn(value, isSecret || PACK_SECRET.test(name))
  );
}

function passwordOf(text: string): readonly string[] {
  if (!text.includes("://") || !URL.canParse(text)) return [];
  const { password } = new URL(text);
  return password === "" ? [] : [password, decoded(password)];
}

/** Decoded text, or the text itself where it is not encoded. */
function decoded(text: string): string {
  // A percent sign that stands for itself.
  return attempt(() => decodeURIComponent(text), text);
}

/** Tells a name that secrets usually have: `GITHUB_TOKEN`. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}

/** Tells an option whose value is secret: `--api-key`, `--api-key=x`. */
export function isSecretOption(argument: string): boolean {
  return SECRET_OPTION.test(argument);
}

function ofServer(server: ServerConfig): readonly string[] {
  if (server.kind !== "stdio") {
    const { clientSecret = "", privateKey = "" } = server.oauth ?? {};
    const own = [clientSecret, privateKey, ...ofAddress(server.url)];
    return [...Object.values(server.headers).flatMap(ofHeader), ...own];
  }
  const secrets = Object.entries(server.env).filter(([name]) => isSecretName(name));
  return [...secrets.map(([, value]) => value), ...ofArguments(server.args)];
}

/** The whole header, and the part after its scheme. */
function ofHeader(value: string): readonly string[] {
  const [, ...rest] = value.split(" ");
  return rest.length === 0 ? [value] : [value, rest.join(" ")];
}

function ofAddress(address: string): readonly string[] {
  if (!URL.canParse(address)) return []; // of a server that is switched off
  const { password, searchParams } = new URL(address);
  const secrets = [...searchParams].filter(([name]) => isSecretName(name));
  return [password, ...secrets.map(([, value]) => value)];
}

/** Values of `--token=x` and of `--token x`. */
function ofArguments(args: readonly string[]): readonly string[] {
  return args.flatMap((arg, at) => {
    if (!isSecretOption(arg)) return [];
    const value = arg.includes("=") ? arg.slice(arg.indexOf("=") + 1) : args[at + 1];
    return value === undefined || value.startsWith("-") ? [] : [value];
  });
}
