/** Description of a TypeScript pack, read by the type checker without running it. */

import type { Log } from "#base";
import { childEnvironment } from "../../process/environment.ts";
import type { PackContents } from "./contents.ts";
import { installTypes } from "../process/dependencies.ts";
import type { PackHeader } from "./header.ts";
import type { LaunchDeps } from "../process/launch.ts";
import type { DescribeModule, PackDescription, PackFile, PackFinding } from "../types.ts";
import { relative } from "node:path";

export interface DescribePackDeps extends LaunchDeps {
  readonly describe: DescribeModule;
  readonly log: Log;
}

export interface PackToDescribe {
  readonly file: PackFile;
  readonly contents: PackContents;
  readonly header: PackHeader | undefined;
}

export interface DescribeOptions {
  readonly deps: DescribePackDeps;
  readonly signal: AbortSignal;
}

/** Describes a pack. Problems of the checker become findings with absolute paths. */
export async function describePack(
  { file, contents, header }: PackToDescribe,
  { deps, signal }: DescribeOptions,
): Promise<PackDescription> {
  const findings: PackFinding[] = [];
  const packages = await packagesOf(header, { deps, signal }).catch((error) => {
    const [why = ""] = String(error instanceof Error ? error.message : error).split("\n");
    const message = `Cannot install the dependencies: ${why}`;
    findings.push({ severity: "error", message, file: file.file, line: 1 });
    return undefined;
  });
  const entry = relative(file.folder, file.file);
  const source = { entry, files: contents.files, ...(packages ? { packages } : {}) };
  const described = await deps.describe(source, { signal });
  const own = described.findings.map((finding) => ({ ...finding, file: inFolder(file, finding) }));
  return { tools: described.tools, findings: [...findings, ...own] };
}

async function packagesOf(
  header: PackHeader | undefined,
  { deps, signal }: DescribeOptions,
): Promise<string | undefined> {
  const environment = childEnvironment(deps.environment, {});
  const install = { deno: deps.deno, cacheDir: deps.cacheDir, environment };
  return await installTypes(header?.dependencies ?? [], { deps: install, signal });
}

function inFolder({ folder }: PackFile, { file }: PackFinding): string {
  return `${folder}/${file}`;
}
