/** Environment of a child: variables of the config and those that a program needs to start. */

import { delimiter, isAbsolute, resolve } from "node:path";
import { pathOutside, SYSTEM_PATH } from "#base";

/** Variables copied from the gateway: paths, home, caches, language, proxies, certificates. */
const NEEDED = new Set([
  ...["HOME", "USER", "LOGNAME", "SHELL", "TERM", "TZ", "TMPDIR", "TMP", "TEMP"],
  ...["LANG", "LANGUAGE", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR"],
  ...["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY"],
  ...["SSL_CERT_FILE", "SSL_CERT_DIR", "NIX_SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS", "DENO_CERT"],
  ...["DENO_TLS_CA_STORE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "PIP_CERT", "GIT_SSL_CAINFO"],
  ...["NPM_CONFIG_CACHE", "NPM_CONFIG_REGISTRY", "NPM_CONFIG_USERCONFIG", "PIP_CACHE_DIR"],
  ...["UV_CACHE_DIR", "DENO_DIR", "NVM_DIR", "VOLTA_HOME", "PYENV_ROOT", "ASDF_DIR"],
  ...["SYSTEMROOT", "COMSPEC", "PATHEXT", "APPDATA", "LOCALAPPDATA", "USERPROFILE"],
]);

export interface EnvironmentOptions {
  /** Folder that relative entries of `PATH` are below; without it they are left out. */
  readonly base?: string;
  /** Project whose folders are left out of `PATH`, links to them too. */
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
    if (upper === "PATH") env[name] = absolutePath(value, base) || SYSTEM_PATH;
    else if (NEEDED.has(upper) || upper.startsWith("LC_")) env[name] = value;
  }
  const all = { ...env, ...config };
  if (project === undefined || all.PATH === undefined) return all;
  return { ...all, PATH: pathOutside(all.PATH, project) || SYSTEM_PATH };
}

/** In a relative folder, a file of the folder that a program starts in would stand in for another. */
function absolutePath(path: string, base: string | undefined): string {
  const folders = path.split(delimiter).flatMap((folder) => {
    if (isAbsolute(folder)) return [folder];
    return base === undefined ? [] : [resolve(base, folder)];
  });
  return folders.join(delimiter);
}
