/** The command line in a home and a project of its own, beside a server that wants a sign-in. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { dump } from "js-yaml";
import { type Issuer, type Quirks, startIssuer } from "../../support/auth/issuer.ts";
import { type Resource, startResource } from "../../support/auth/resource.ts";
import { cli, cliCommand, type CliOptions, type CliResult } from "../../support/cli.ts";

export interface AuthStage extends AsyncDisposable {
  readonly issuer: Issuer;
  readonly resource: Resource;
  readonly home: string;
  readonly project: string;
  /** Runs the program to its end. */
  run(args: readonly string[], options?: Partial<CliOptions>): Promise<CliResult>;
  /** Starts `auth login`, visits the address that it prints, and waits for its end. */
  login(args: readonly string[], visit?: (url: string) => Promise<unknown>): Promise<CliResult>;
  /** Rows of `auth status`. */
  status(): Promise<Record<string, unknown>[]>;
  /** Throws where a file, or an output of the program, holds a secret of the issuer. */
  assertUnseen(): Promise<void>;
}

export interface StageOptions {
  readonly quirks?: Partial<Quirks>;
  /** Fields of the server `crm`, beside its address. */
  readonly server?: Record<string, unknown>;
  readonly others?: Record<string, unknown>;
}

/** Writes the configuration, and starts the servers. */
export async function openStage(options: StageOptions = {}): Promise<AuthStage> {
  const issuer = startIssuer(options.quirks);
  const resource = startResource(issuer);
  const home = await Deno.makeTempDir({ prefix: "toolscript-home-" });
  const project = await Deno.makeTempDir({ prefix: "toolscript-project-" });
  await Deno.mkdir(join(project, ".onetool"), { recursive: true });
  const servers = { crm: { url: resource.url, ...options.server }, ...options.others };
  await Deno.writeTextFile(join(project, ".onetool", "onetool.yaml"), dump({ servers }));
  const outputs: string[] = [];
  const place = { home, cwd: project };

  async function run(args: readonly string[], more: Partial<CliOptions> = {}): Promise<CliResult> {
    const result = await cli(args, { ...place, ...more });
    const isLoan = args[1] === "header";
    outputs.push(result.stderr, isLoan ? "" : result.stdout);
    return result;
  }

  return {
    issuer,
    resource,
    home,
    project,
    run,
    async login(args, visit = (url) => visitAs(issuer, url)) {
      const child = cliCommand(["auth", "login", ...args], place).spawn();
      const stderr = new Response(child.stderr).text();
      const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
      const { value: stdout = "" } = await reader.read();
      await visit(stdout.split("\n")[0] ?? "");
      const { code } = await child.status;
      await reader.cancel();
      const result = { code, stdout, stderr: await stderr };
      outputs.push(result.stderr);
      return result;
    },
    async status() {
      const { code, stdout } = await run(["auth", "status", "--json"]);
      assert.equal(code, 0);
      return JSON.parse(stdout);
    },
    async assertUnseen() {
      const texts = [...outputs, ...await contents(home), ...await contents(project)];
      assert.ok(issuer.secrets.size > 0);
      for (const secret of issuer.secrets) {
        assert.ok(!texts.some((text) => text.includes(secret)), secret);
      }
    },
    async [Symbol.asyncDispose]() {
      await resource[Symbol.asyncDispose]();
      await issuer[Symbol.asyncDispose]();
      await Deno.remove(home, { recursive: true });
      await Deno.remove(project, { recursive: true });
    },
  };
}

/** Consents as a person does, and lets the browser come back. */
export async function visitAs(issuer: Issuer, url: string, user?: string): Promise<void> {
  const response = await fetch(await issuer.consent(url, user));
  await response.body?.cancel();
}

/** All files below a folder, byte for byte. */
async function contents(folder: string): Promise<string[]> {
  const texts: string[] = [];
  for await (const { name, isDirectory, isFile } of Deno.readDir(folder)) {
    const path = join(folder, name);
    if (isDirectory) texts.push(...await contents(path));
    if (isFile) texts.push(new TextDecoder("latin1").decode(await Deno.readFile(path)));
  }
  return texts;
}
