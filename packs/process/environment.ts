/** Environment of a child: variables of the config and those that a program needs to start. */

import { SYSTEM_PATH } from "#base";
import { searchPath } from "#files";

/** Variables copied from the gateway: paths, home, caches, language, proxies, certificates. */
const NEEDED = new Set([
  "HOME",
  "USER",
  "LOGNAME",
  "SHELL",
  "TERM",
  "TZ",
  "TMPDIR",
  "TMP",
  "TEMP",
  "LANG",
  "LANGUAGE",
  "XDG_CACHE_HOME",
  "XDG_CONFIG_HOME",
  "XDG_DATA_HOME",
  "XDG_RUNTIME_DIR",
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "NO_PROXY",
  "ALL_PROXY",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
  "NIX_SSL_CERT_FILE",
  "NODE_EXTRA_CA_CERTS",
  "DENO_CERT",
  "DENO_TLS_CA_STORE",
  "REQUESTS_CA_BUNDLE",
  "CURL_CA_BUNDLE",
  "PIP_CERT",
  "GIT_SSL_CAINFO",
  "NPM_CONFIG_CACHE",
  "NPM_CONFIG_REGISTRY",
  "NPM_CONFIG_USERCONFIG",
  "PIP_CACHE_DIR",
  "UV_CACHE_DIR",
  "DENO_DIR",
  "NVM_DIR",
  "VOLTA_HOME",
  "PYENV_ROOT",
  "ASDF_DIR",
  "SYSTEMROOT",
  "COMSPEC",
  "PATHEXT",
  "APPDATA",
  "LOCALAPPDATA",
  "USERPROFILE",
]);

export interface EnvironmentOptions {
  /** Folder that relative entries of `PATH` are below; without it they are left out. */
  readonly base?: string;
  /** Project whose folders are left out of `PATH`, with those of a repository around it. */
  readonly project?: string;
}

/** Returns the needed part of `gateway`, overridden by `config`.
 *
 * @example
 * ```ts ignore
 * childEnvironment({ PATH: ".:/bin", SECRET: "x" }, { TOKEN: "y" }); // { PATH: "/bin", TOKEN: "y" }
 * ```
 */
export function childEnvironment(
  gateway: Readonly<Record<string, string>>,
  config: Readonly<Record<string, string>>,
  { base, project }: EnvironmentOptions = {},
): Record<string, string> {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(gateway)) {
    const upper = name.toUpperCase();
    if (upper === "PATH" || NEEDED.has(upper) || upper.startsWith("LC_")) env[name] = value;
  }
  Object.assign(env, config);
  for (const [name, value] of Object.entries(env)) {
    if (name.toUpperCase() !== "PATH") continue;
    env[name] = searchPath(value, { env: gateway, base, outside: project }) || SYSTEM_PATH;
  }
  return env;
}
