/** The configuration in use, and its reload while the gateway runs. */

import { relative } from "node:path";
import type { JsonObject, Log } from "#base";
import { compareConfigs, describeChanges } from "./compare.ts";
import { ConfigError, formatFinding } from "./error.ts";
import type { Config, ConfigFinding } from "./types.ts";

export type ReloadOutcome =
  | { readonly kind: "reloaded"; readonly changed: JsonObject; readonly warnings: string[] }
  /** The new configuration is wrong, the old one stays in use. Each problem has its file and line. */
  | { readonly kind: "refused"; readonly problems: string[] };

export interface LiveConfig {
  /** The one in use. */
  readonly current: Config;
  /** Loads it again and applies the changes; reloads run one after another. */
  reload(): Promise<ReloadOutcome>;
  /** Sets the function that applies a reloaded configuration, which is the current one by then. It
   * returns further changes, by section. */
  onReload(apply: ApplyConfig): void;
}

export type ApplyConfig = (config: Config, before: Config) => Promise<JsonObject>;

export interface LiveConfigOptions {
  readonly first: Config;
  /** Reads files, secrets and environment again. Throws `ConfigError`. */
  readonly load: () => Promise<Config>;
  readonly log: Log;
}

/** Holds the configuration of one gateway. */
export function createLiveConfig({ first, load, log }: LiveConfigOptions): LiveConfig {
  let current = first;
  let apply: ApplyConfig = () => Promise.resolve({});
  let turn: Promise<unknown> = Promise.resolve();

  async function reload(): Promise<ReloadOutcome> {
    const loaded = await load().catch((error: unknown) => {
      if (error instanceof ConfigError) return error;
      throw error;
    });
    if (loaded instanceof ConfigError || losesTrust(loaded)) {
      const problems = loaded instanceof ConfigError
        ? messagesOf(loaded.findings, "error")
        : [`${loaded.trust.project} has changed since it was trusted: toolscript trust`];
      const reason = problems.join("; ");
      log("error", "Cannot reload the configuration: the one before stays in use", { reason });
      return { kind: "refused", problems };
    }
    const before = current;
    current = loaded;
    const more = await apply(loaded, before);
    const changed = { ...describeChanges(compareConfigs(before, loaded)), ...more };
    log("info", "The configuration was loaded again", changed);
    return { kind: "reloaded", changed, warnings: messagesOf(loaded.warnings, "warning") };
  }

  /** Returns true if the project has lost its trust by a change. Trusted parts then go on; parts
   * that have changed do not start. */
  function losesTrust({ trust }: Config): boolean {
    return trust.kind === "untrusted" && trust.before !== undefined &&
      current.trust.kind !== "untrusted" && trust.hash !== current.trust.hash;
  }

  function messagesOf(
    findings: readonly ConfigFinding[],
    severity: ConfigFinding["severity"],
  ): string[] {
    return findings.filter((finding) => finding.severity === severity).map((finding) => {
      const near = relative(current.project, finding.file);
      return formatFinding({ ...finding, file: near.startsWith("..") ? finding.file : near });
    });
  }

  return {
    get current() {
      return current;
    },
    reload() {
      const result = turn.then(reload);
      turn = result.catch((error) => {
        log("error", "Cannot reload the configuration", { error: String(error) });
      });
      return result;
    },
    onReload(next) {
      apply = next;
    },
  };
}
