/** What npm needs of this machine. */

import { join } from "node:path";

/** Registry, proxy and cache of the machine, which npm takes from its environment or from the user's
 * home. */
export function npmEnv(): Record<string, string> {
  const all = Object.entries(Deno.env.toObject());
  const passed = /^(https?_proxy|no_proxy|node_extra_ca_certs|npm_config_.*)$/i;
  const home = Deno.env.get("HOME") ?? "/";
  return {
    npm_config_userconfig: join(home, ".npmrc"),
    npm_config_cache: join(home, ".npm"),
    ...Object.fromEntries(all.filter(([name]) => passed.test(name))),
  };
}
