/** Error of a configuration that cannot be used. */

import { escapeUnseen } from "#base";
import type { ConfigFinding } from "./types.ts";

/** A configuration with errors; the command line ends with exit code 2. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  readonly findings: readonly ConfigFinding[];
  constructor(findings: readonly ConfigFinding[], options?: ErrorOptions) {
    super(findings.map((finding) => formatFinding(finding)).join("\n"), options);
    this.findings = findings;
  }
}

/** One line for a person: `file:line:column: message. fix`, in which nothing is unseen: others choose
 * the names of files and keys.
 *
 * @example
 * ```ts
 * import { formatFinding } from "#config";
 *
 * formatFinding({ severity: "error", message: "Cannot read it", file: "/a.yaml", line: 2, column: 3 });
 * // "/a.yaml:2:3: Cannot read it"
 * ```
 */
export function formatFinding(finding: ConfigFinding): string {
  const at = finding.line === undefined ? "" : `:${finding.line}:${finding.column ?? 1}`;
  const fix = finding.fix === undefined ? "" : `. ${finding.fix}`;
  return escapeUnseen(`${finding.file}${at}: ${finding.message}${fix}`);
}
