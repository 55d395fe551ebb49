/** Checks of the running gateways, of leftover run files, and of the configured address. */

import type { Config } from "#config";
import { findGateways } from "#gateway/running";
import { createClient } from "../client.ts";
import type { CliIo } from "../io.ts";
import { isLoopback } from "../loopback.ts";
import { bad, type Finding, good, worth } from "./types.ts";

/** Long: a machine that is busy with the checks beside this one answers late. */
const ANSWER_MS = 10_000;

export async function checkGateways(
  io: CliIo,
  { config, fix }: { readonly config: Config | undefined; readonly fix: boolean },
): Promise<Finding[]> {
  const staleFiles: string[] = [];
  const running = await findGateways(io.home, {
    onStale: async (path) => {
      staleFiles.push(path);
      if (fix) await Deno.remove(path).catch(() => {}); // another process has removed it
    },
  });
  const findings = [await checkConfiguredUrl(io)].filter((finding) => finding !== undefined);
  const own = running.find(({ shared, project, config: file }) =>
    shared && project === config?.project && file === config.file
  );
  if (own) {
    const { url, pid, version } = own;
    const answers = await createClient({ ...own, fetch: io.fetch }).isHealthy(ANSWER_MS);
    const again = "toolscript gateway stop && toolscript gateway start --detach";
    if (!answers) findings.push(bad("gateway", `${url} (pid ${pid}) does not answer`, again));
    else if (version !== io.version) {
      findings.push(worth("gateway", `${url} is of version ${version}`, again));
    } else findings.push(good("gateway", `Runs at ${url} (pid ${pid})`));
  } else findings.push(good("gateway", "None runs for this project; commands start their own"));
  if (staleFiles.length > 0) {
    const what = `${staleFiles.length} of gateways that have ended`;
    const next = fix ? "removed" : "the next command removes them";
    findings.push(good("run files", `${what}: ${next}`));
  }
  if (config && !own) findings.push(checkAddress(config));
  return findings;
}

async function checkConfiguredUrl(io: CliIo): Promise<Finding | undefined> {
  const url = io.env.TOOLSCRIPT_GATEWAY_URL;
  if (!url) return undefined;
  const client = createClient({ url, token: undefined, fetch: io.fetch });
  if (await client.isHealthy(ANSWER_MS)) return good("gateway", "TOOLSCRIPT_GATEWAY_URL answers");
  const fix = 'Unset it, or start one: "toolscript gateway start"';
  return bad("gateway", "TOOLSCRIPT_GATEWAY_URL does not answer", fix);
}

/** Checks the address by listening on it for a moment. */
function checkAddress({ gateway: { host, port } }: Config): Finding {
  const address = `${host}:${port}`;
  try {
    Deno.listen({ hostname: host, port }).close();
  } catch (error) {
    if (error instanceof Deno.errors.AddrInUse) {
      return bad("address", `${address} is taken by another program`, "Change gateway.port");
    }
    if (error instanceof Deno.errors.PermissionDenied) {
      return bad("address", `${address} is not permitted`, "Choose a gateway.port over 1023");
    }
    return bad("address", `${address} cannot be listened on`, "Change gateway.host");
  }
  const place = port === 0 ? `${host}, a free port` : address;
  if (isLoopback(host)) return good("address", place);
  return worth("address", `${place}: other machines can reach it`, "Set gateway.host to 127.0.0.1");
}
