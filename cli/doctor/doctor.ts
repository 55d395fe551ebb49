/** `toolscript doctor`: checks of the installation and the project, with a fix for each problem. */

import { silent } from "#base";
import { type Config, findProject } from "#config";
import { discoverPacks } from "#packs";
import { type Context, timeoutOption } from "../context.ts";
import type { CliIo } from "../io.ts";
import { checkConfig, checkFolders, checkSecrets, checkTrust } from "./configuration.ts";
import { checkGateways } from "./gateways.ts";
import { checkProxy, checkUv, checkVersions, checkWalls } from "./machine.ts";
import { checkPacks } from "./packs.ts";
import { printReport } from "./report.ts";
import { tryGateway } from "./trial.ts";
import { bad, type Finding } from "./types.ts";

const TIMEOUT_SECONDS = 60;
const HIDDEN = "[redacted]";
/** Minimum length of a secret to hide: shorter ones would match ordinary words. */
const SHORTEST = 4;

export async function doctor(context: Context): Promise<number> {
  const { io, options, print } = context;
  const deadline = AbortSignal.timeout((timeoutOption(context) ?? TIMEOUT_SECONDS) * 1000);
  const interrupted = new AbortController();
  const stopListening = io.onSignal(() => interrupted.abort());
  const findings = await examine(context, AbortSignal.any([deadline, interrupted.signal]));
  stopListening();
  await print.progress("");
  if (interrupted.signal.aborted) return 130;
  if (options.json === true) await print.json(findings.map(toJson));
  else await printReport(findings, print);
  const failed = findings.filter(({ level }) => level === "failed").length;
  if (failed === 0) await print.say("All checks passed");
  else await print.say(`${failed} of ${findings.length} checks failed`);
  return failed === 0 ? 0 : 1;
}

/** Runs all checks at once; their findings are in the order of the report. */
async function examine(context: Context, signal: AbortSignal): Promise<Finding[]> {
  const { io, options: { fix } } = context;
  await context.print.progress("Checking");
  const { config, findings: ofConfig } = await checkConfig(context);
  const project = config?.project ?? await findProject(io);
  const groups = await Promise.all([
    checkVersions(io),
    ofConfig,
    config ? checkTrust(config) : [],
    checkSecrets(io, { config, fix: fix === true }),
    checkProxy(io),
    checkWalls(),
    checkUv(io, { isNeeded: hasPython(io, project), project }),
    checkGateways(io, { config, fix: fix === true }),
    ...(config ? checkParts(context, { config, signal }) : []),
  ]);
  return groups.flat().map((finding) => withoutSecrets(finding, config?.secrets ?? []));
}

/** Starts the slow checks. */
function checkParts(
  { io, print }: Context,
  { config, signal }: { readonly config: Config; readonly signal: AbortSignal },
): Promise<Finding[]>[] {
  const onProgress = (text: string) => print.progress(text);
  return [
    checkFolders(io, config),
    tryGateway(io, { config, signal, onProgress }),
    inScratch((cacheDir) =>
      checkPacks(io, { config: { ...config, cacheDir }, signal, log: silent })
    ),
  ];
}

/** Runs a check with a temporary folder for caches. */
async function inScratch(check: (folder: string) => Promise<Finding[]>): Promise<Finding[]> {
  const folder = await Deno.makeTempDir({ prefix: "toolscript-doctor-" });
  try {
    return await check(folder);
  } catch (error) {
    return [bad("packs", error instanceof Error ? error.message : String(error))];
  } finally {
    await Deno.remove(folder, { recursive: true }).catch(() => {}); // a pack may still write there
  }
}

function hasPython({ home }: CliIo, project: string): boolean {
  const { packs } = discoverPacks({ project, home, reserved: new Map() });
  return packs.some(({ language }) => language === "python");
}

function withoutSecrets(finding: Finding, secrets: readonly string[]): Finding {
  const clean = (text: string) =>
    secrets.filter(({ length }) => length >= SHORTEST).reduce(
      (rest, secret) => rest.replaceAll(secret, HIDDEN),
      text,
    );
  const { message, fix } = finding;
  return { ...finding, message: clean(message), ...(fix ? { fix: clean(fix) } : {}) };
}

function toJson({ check, level, message, fix }: Finding): Record<string, unknown> {
  return { check, ok: level !== "failed", message, fix: fix ?? null, level };
}
