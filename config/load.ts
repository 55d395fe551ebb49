/** Loads one checked configuration from files and environment. */

import { createHash } from "node:crypto";
import { aliasFindings } from "./aliases.ts";
import { assemble, type Assembled } from "./assemble.ts";
import { check, type Checked, type CheckFinding } from "./check.ts";
import { trustsAll } from "#files";
import type { RuleContext } from "#packs/rules";
import { ConfigError, formatFinding } from "./error.ts";
import { searchProject } from "./find.ts";
import { type MapNode, type Node, placeOf } from "./tree/node.ts";
import { readRules } from "./rules.ts";
import { resolveConfig } from "./resolve.ts";
import { type CheckedConfig, CONFIG } from "./schema.ts";
import { concealed, concealedIn } from "./secrets.ts";
import { isEnabled, type ServerProblem } from "./servers.ts";
import { isVouched } from "./trust/trust.ts";
import type { Config, ConfigFinding } from "./types.ts";

export interface LoadOptions {
  /** File that `--config` names. */
  readonly explicit?: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly cwd: string;
  /** True to leave out what the keychain, 1Password and programs give: such a configuration starts
   * nothing. */
  readonly isPartial?: boolean;
}

/** Finds, reads, merges and checks the configuration. Throws `ConfigError`.
 *
 * @example
 * ```ts
 * import { loadConfig } from "#config";
 *
 * const config = await loadConfig({ env: {}, home: Deno.makeTempDirSync(), cwd: Deno.makeTempDirSync() });
 * console.assert(config.servers.length === 0);
 * ```
 */
export async function loadConfig(options: LoadOptions): Promise<Config> {
  const { project, findings } = await searchProject(options);
  const context = { project, home: options.home, cores: navigator.hardwareConcurrency };
  const named = new Set<string>();
  const parts = await assemble({ isPartial: false, ...options, context, named });
  const { root, file, files, secretsFiles, scopeOf, isBorrowed, trust } = parts;
  const checked = check<CheckedConfig>(root, CONFIG, {
    context,
    scopeOf,
    foreign: (path) => isBorrowed && path[0] === "servers",
  });
  const values: ConfigFinding[] = withoutDisabled(checked);
  const config = resolveConfig(checked.value, {
    context,
    file,
    own: { configuration: files, secrets: secretsFiles },
    untrusted: trust.kind === "untrusted"
      ? checkNames(parts.projectNode, context).value
      : undefined,
    homes: parts.ofHome?.value,
    isHomes: (name) => parts.isHomes(placeOf(root, ["servers", name, "command"]).file),
    onProblem: (name, problem) => {
      if (!hasErrors(values, name, checked.findings)) {
        values.push(serverFinding(root, name, problem));
      }
    },
  });
  const { rules, findings: ofRules } = await readRules(checked.value, root);
  const all = [
    ...findings,
    ...parts.findings,
    ...hiddenErrors(parts, checked),
    ...counting([...values, ...ofRules], parts, context),
  ];
  const others = trust.servers.map(({ name }) => name);
  all.push(...aliasFindings(config, { root, home: options.home, others }));
  if (all.some((finding) => finding.severity === "error")) throw new ConfigError(all);
  const secrets = concealed([...parts.secrets, ...concealedIn(config.packs)], config.servers);
  return {
    ...config,
    rules,
    secrets,
    trust,
    isPartial: parts.isPartial,
    checksAbove: !trustsAll(options.env),
    variables: hashOf(named, options.env),
    warnings: all,
  };
}

/** The findings that count. Of a project that no person vouches for, what is wrong is left out, with
 * one warning: it must not stop all else. */
function counting(
  findings: readonly ConfigFinding[],
  { counts, bounds, trust, projectNode }: Assembled,
  context: RuleContext,
): ConfigFinding[] {
  if (isVouched(trust)) return [...bounds, ...findings];
  // Keys without an effect are in no part that counts.
  const written = trust.kind === "none" ? checkNames(projectNode, context).findings : [];
  const strays = [...bounds, ...written, ...findings.filter(({ file }) => !counts(file))];
  const first = strays.find(({ severity }) => severity === "error");
  const message = `${first?.message}; what is wrong is left out`;
  return [
    ...findings.filter(({ file }) => counts(file)),
    ...first ? [{ ...first, severity: "warning" as const, message }] : [],
    ...written.filter(({ severity }) => severity === "warning"),
  ];
}

/** Errors of the home folder's configuration that values of the project hide. A project that is trusted
 * may have a server in place of a wrong one. */
function hiddenErrors(
  { ofHome, trust }: Assembled,
  { findings, value }: Checked<CheckedConfig>,
): CheckFinding[] {
  const reported = new Set(findings.map(formatFinding));
  return withoutDisabled({ findings: ofHome?.findings ?? [], value }).filter((finding) =>
    finding.severity === "error" && !reported.has(formatFinding(finding)) &&
    !(isVouched(trust) && finding.path[0] === "servers")
  );
}

/** Hash over the variables that a configuration reads, with their values. */
function hashOf(names: ReadonlySet<string>, env: LoadOptions["env"]): string {
  const pairs = [...names].sort().map((name) => [name, env[name] ?? null]);
  return createHash("sha256").update(JSON.stringify(pairs)).digest("hex");
}

/** Configuration of a project that is not trusted, for its names: no reference is looked up. */
function checkNames(node: MapNode, context: RuleContext): Checked<CheckedConfig> {
  const scope = { variable: () => "", secret: () => "", outside: () => "" };
  return check<CheckedConfig>(node, CONFIG, { context, scopeOf: () => scope });
}

/** A server that is switched off may lack the variables that it would need. */
function withoutDisabled({ findings, value }: Checked<CheckedConfig>): CheckFinding[] {
  const servers = new Map(Object.entries(value.servers));
  return findings.filter(({ path, severity }) => {
    const server = path[0] === "servers" ? servers.get(path[1] ?? "") : undefined;
    return severity === "warning" || !server || isEnabled(server);
  });
}

function hasErrors(
  findings: readonly ConfigFinding[],
  name: string,
  checked: readonly CheckFinding[],
): boolean {
  return checked.some((finding) =>
    finding.severity === "error" && finding.path[0] === "servers" && finding.path[1] === name &&
    findings.includes(finding)
  );
}

function serverFinding(root: Node, name: string, problem: ServerProblem): ConfigFinding {
  const path = ["servers", name, ...(problem.key === undefined ? [] : [problem.key])];
  const what = problem.key === undefined ? `server "${name}"` : `"${path.join(".")}"`;
  const message = `Cannot take ${what}: ${problem.message}`;
  return { severity: "error", message, ...placeOf(root, path), fix: problem.fix };
}
