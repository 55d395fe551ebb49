/** Files of another user, for tests that run as root. */

import assert from "node:assert/strict";
import { lchownSync } from "node:fs";
import type { Config, ConfigFinding } from "#config";
import type { PackFinding } from "#packs";
import type { TestProject } from "../config/project.ts";

export const STRANGER = 12345;

export const MAIN = ".onetool/onetool.yaml";

export const SERVERS = "servers: { evil: { command: /bin/evil } }\n";

/** Only root gives files away. */
export const ignore = Deno.uid() !== 0;

export type Prepare = (it: TestProject, path: (name: string) => string) => Disposable | void;

export interface Row {
  readonly name: string;
  readonly files: Record<string, string>;
  readonly prepare: Prepare;
  /** The warning, `<file>: <message>. <fix>`. */
  readonly warns: RegExp;
  readonly ignore?: boolean;
}

export function give(path: string): void {
  lchownSync(path, STRANGER, STRANGER);
}

export function mkfifo(path: string): void {
  assert.ok(new Deno.Command("mkfifo", { args: [path] }).outputSync().success);
}

export function textOf({ file, message, fix }: ConfigFinding | PackFinding): string {
  return `${file}: ${message}. ${fix}`;
}

export function warningsOf({ warnings }: Config): string {
  return warnings.map(textOf).join("\n");
}
