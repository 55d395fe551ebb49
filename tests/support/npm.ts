/** What npm needs of this machine. */

import { join } from "node:path";

/** Registry and proxy of the machine, which npm takes from its environment or from the user's file. */
export function npmEnv(): Record<string, string> {
  const all = Object.entries(Deno.env.toObject());
  const passed = /^(https?_proxy|no_proxy|node_extra_ca_certs|npm_config_.*)$/i;
  const userconfig = join(Deno.env.get("HOME") ?? "/", ".npmrc");
  return {
    npm_config_userconfig: userconfig,
    ...Object.fromEntries(all.filter(([name]) => passed.test(name))),
  };
}
