/** `toolscript doctor`: checks of the installation and the project, with a fix for each problem. */

import { escapeUnseen, messageOf, silent } from "#base";
import { type Config, findProject } from "#config";
import { type CheckedPack, discoverPacks, type PackFinding } from "#packs";
import { type Context, timeoutOption } from "../context.ts";
import type { CheckOptions, CliIo } from "../io.ts";
import { checkClients } from "./clients/clients.ts";
import { checkConfig, checkFolders, checkPins, checkSecrets, checkTrust } from "./configuration.ts";
import { checkGateways } from "./gateways.ts";
import { checkPath, checkProxy, checkUv, checkVersions, checkWalls } from "./machine.ts";
import { tryGateway } from "./trial.ts";
import { bad, type Finding, good, type Level, worth } from "./types.ts";
import type { Printer } from "../print.ts";

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
    config ? checkPins(config) : [],
    checkSecrets(io, { config, fix: fix === true }),
    checkProxy(io),
    checkWalls(),
    checkPath(io),
    checkUv(io, { isNeeded: hasPython(io, project), project }),
    checkGateways(io, { config, fix: fix === true }),
    checkClients(context, { project, signal }),
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
    return [bad("packs", messageOf(error))];
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

const SIGNS = { ok: "✓", warning: "!", failed: "✗" } as const satisfies Record<Level, string>;
const WORDS = { ok: "ok", warning: "note", failed: "FAILED" } as const satisfies Record<
  Level,
  string
>;
const COLORS = { ok: "\x1b[32m", warning: "\x1b[33m", failed: "\x1b[31m" } as const;
const PLAIN = "\x1b[0m";

/** Prints one line for each finding, with its fix below. */
async function printReport(findings: readonly Finding[], print: Printer): Promise<void> {
  const width = Math.max(...findings.map(({ check }) => check.length));
  for (const { level, check, message, fix } of findings) {
    const sign = print.hasColors
      ? `${COLORS[level]}${SIGNS[level]}${PLAIN}`
      : WORDS[level].padEnd(6);
    const text = `${sign} ${oneLine(check).padEnd(width)}  ${oneLine(message)}`;
    const indent = " ".repeat((print.hasColors ? 2 : 7) + width + 2);
    const below = fix === undefined ? "" : `\n${indent}→ ${oneLine(fix)}`;
    await print.raw("stdout", `${text}${below}\n`);
  }
}

/** Escapes a text, which may come from a server or a file. */
function oneLine(text: string): string {
  return escapeUnseen(text.replace(/\s*[\r\n]+\s*/g, " "));
}

async function checkPacks(io: CliIo, options: CheckOptions): Promise<Finding[]> {
  const { packs, findings } = await io.checkPacks(options);
  return [
    ...findings.map((finding) => toFinding("packs", finding)),
    ...packs.flatMap(ofPack),
  ];
}

function ofPack({ name, file, isOff, findings }: CheckedPack): Finding[] {
  const check = `pack ${name}`;
  if (isOff) return [good(check, "Switched off")];
  if (findings.length === 0) return [good(check, file.file)];
  return findings.map((finding) => toFinding(check, finding));
}

function toFinding(check: string, { severity, message, file, line, fix }: PackFinding): Finding {
  const place = line === undefined ? file : `${file}:${line}`;
  const way = fix === undefined ? undefined : `${fix.slice(0, 1).toUpperCase()}${fix.slice(1)}`;
  return (severity === "error" ? bad : worth)(check, `${place}: ${message}`, way);
}
