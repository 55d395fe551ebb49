/** Extension packs over real folders, in real processes, behind a real registry. */

import type { JsonObject, JsonValue, Log } from "#base";
import {
  callWithin,
  createExtensionPlans,
  createRegistry,
  createWatcher,
  type Pack,
  type PackFinding,
  type Registry,
  type WorkerPack,
} from "#packs";
import { createModuleDescriber } from "#runtime";
import { openFolders, writePacks } from "../../support/packs.ts";

export interface PackHarness extends AsyncDisposable {
  readonly project: string;
  readonly home: string;
  readonly registry: Registry;
  readonly findings: readonly PackFinding[];
  /** What was logged, one line each. */
  readonly logged: readonly string[];
  pack(name: string): WorkerPack;
  /** Calls a tool by its wire name; the result's value. */
  call(wire: string, args?: JsonObject, signal?: AbortSignal): Promise<JsonValue>;
  /** Writes files of packs into the project. */
  write(files: Readonly<Record<string, string>>): Promise<void>;
}

export interface HarnessOptions {
  readonly project?: Readonly<Record<string, string>>;
  readonly home?: Readonly<Record<string, string>>;
  /** Whether the home folder is given by the name of a link. */
  readonly linksHome?: boolean;
  readonly settings?: Readonly<Record<string, JsonObject>>;
  readonly servers?: readonly string[];
  readonly others?: readonly Pack[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly idleMs?: number;
  readonly maxAnswerBytes?: number;
  /** Caches of an earlier harness. */
  readonly cacheDir?: string;
  /** Whether they begin by themselves, as in a gateway. */
  readonly start?: boolean;
}

export async function openPacks(options: HarnessOptions): Promise<PackHarness> {
  const folders = await openFolders(options);
  const { project, home } = folders;
  const logged: string[] = [];
  const log: Log = (level, message, facts) =>
    void logged.push(`${level} ${message} ${JSON.stringify(facts ?? {})}`);
  const watcher = createWatcher({ log });
  const { plans, findings } = createExtensionPlans({
    project,
    home,
    log,
    settings: options.settings ?? {},
    projectSettings: options.settings ?? {},
    idleMs: options.idleMs ?? 60_000,
    servers: options.servers ?? [],
    deps: {
      log,
      watcher,
      project,
      home,
      describe: createModuleDescriber({ deno: Deno.execPath() }),
      cacheDir: options.cacheDir ?? `${project}/.onetool/cache`,
      environment: options.environment ?? Deno.env.toObject(),
      deno: Deno.execPath(),
      maxAnswerBytes: options.maxAnswerBytes,
      callAnother: (call, options) => callWithin(registry, call, options),
    },
  });
  const packs = plans.map(({ make }) => make());
  const registry: Registry = createRegistry([...packs, ...options.others ?? []], { log });
  if (options.start !== false) { for (const pack of packs) pack.start(); }
  return {
    project,
    home,
    registry,
    findings,
    logged,
    pack(name) {
      const match = packs.find((pack) => pack.name === name);
      if (match) return match;
      throw new Error(`No pack "${name}" here`);
    },
    async call(wire, args, signal) {
      return (await registry.call(wire, args ?? {}, { signal })).value;
    },
    write: (files) => writePacks(project, files),
    async [Symbol.asyncDispose]() {
      await registry[Symbol.asyncDispose]();
      await watcher[Symbol.asyncDispose]();
      await folders[Symbol.asyncDispose]();
    },
  };
}

/** The processes whose command line holds a text. */
export async function processesWith(text: string): Promise<number[]> {
  const { stdout } = await new Deno.Command("ps", { args: ["-A", "-o", "pid=,args="] }).output();
  return new TextDecoder().decode(stdout).split("\n")
    .filter((line) => line.includes(text) && !line.includes("<defunct>"))
    .map((line) => parseInt(line));
}

/** Waits until a test holds, up to a minute. */
export async function until(test: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 1_200; tries++) {
    if (await test()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("The condition was not met within a minute");
}
