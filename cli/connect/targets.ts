/** Files that `connect` and `disconnect` work on, from the command line and from what is installed. */

import { dirname, join } from "node:path";
import { isInside, realPathOf } from "#files";
import type { Context } from "../context.ts";
import { CliError } from "../error.ts";
import { exists } from "../paths.ts";
import { type ClientFile, FileProblem, readClientFile } from "./client_file.ts";
import {
  type Client,
  CLIENT_TABLE,
  type ClientName,
  CLIENTS,
  type Machine,
  type Start,
} from "./clients.ts";

export interface Target {
  readonly name: ClientName;
  readonly client: Client;
  readonly file: string;
  /** True for the file of the user, for all projects. */
  readonly isUser: boolean;
  /** The project, which no link may lead out of; missing for a file of the user. */
  readonly root?: string;
}

/** The clients that the command names, else all that are found. Throws `CliError`: exit code 2 for an
 * unknown client, 3 where none is found. */
export function chooseClients(context: Context, project: string): readonly ClientName[] {
  const { operands } = context;
  const unknown = operands.find((name) => !CLIENTS.some((client) => client === name));
  if (unknown !== undefined) {
    const way = `use ${CLIENTS.join(", ")}`;
    throw new CliError(2, `Unknown client ${JSON.stringify(unknown)}: ${way}`);
  }
  if (context.options.project === true && context.options.user === true) {
    throw new CliError(2, "Cannot take --project and --user together: leave one out");
  }
  const named = CLIENTS.filter((name) => operands.includes(name));
  if (named.length > 0) return named;
  const installed = CLIENTS.filter((name) => isInstalled(CLIENT_TABLE[name], { context, project }));
  if (installed.length > 0) return installed;
  throw new CliError(3, `No MCP client is found: name one: ${CLIENTS.join(", ")}`);
}

/** The file of a client: that of the flag, else of the project, else of the user. */
export function targetOf(name: ClientName, context: Context, project: string): Target {
  const [first] = targetsOf(name, context, project);
  if (!first) throw new TypeError(`"${name}" has no file`);
  return first;
}

/** The files of a client, the one that `connect` chooses first. */
export function targetsOf(name: ClientName, context: Context, project: string): Target[] {
  const client = CLIENT_TABLE[name];
  const { options } = context;
  const user: Target = { name, client, file: client.user(machineOf(context)), isUser: true };
  if (client.project === undefined) return [user];
  const own: Target = {
    name,
    client,
    file: join(project, client.project),
    isUser: false,
    root: project,
  };
  if (options.user === true) return [user];
  if (options.project === true) return [own];
  return client.isUserFirst ? [user, own] : [own, user];
}

/** Reads the file of a target. Throws `FileProblem` also where a link leads out of the project, which
 * may be a stranger's: what lies in a project may be read by programs. */
export function readTarget(target: Pick<Target, "file" | "root">, maxBytes?: number): ClientFile {
  if (!isLedOut(target)) return readClientFile(target.file, maxBytes);
  const real = realPathOf(target.file);
  throw new FileProblem(`a link leads out of the project, to "${real}": remove the link`);
}

/** Throws `FileProblem` where an earlier target is the same file, by a link. */
export function checkSame(target: Target, targets: readonly Target[]): void {
  const real = realPathOf(target.file);
  const first = targets.find((other) => !isLedOut(other) && realPathOf(other.file) === real);
  if (first === undefined || first === target) return;
  throw new FileProblem(`it is the same file as that of ${first.name}: remove the link`);
}

function isLedOut({ file, root }: Pick<Target, "file" | "root">): boolean {
  return root !== undefined && !isInside(realPathOf(root), realPathOf(file));
}

/** Command line for a client. One that does not start its servers in a project is told the folder. */
export function startOf({ client }: Target, { io }: Context): Start {
  const [command = "toolscript", ...args] = io.starter ?? io.program;
  const own = client.project === undefined ? ["--project", io.cwd] : [];
  return { command, args: [...args, "mcp", ...own] };
}

/** True where the client is installed, or the project has its folder. */
export function isInstalled(
  client: Client,
  { context, project }: { readonly context: Context; readonly project: string },
): boolean {
  if (exists(client.sign(machineOf(context)))) return true;
  if (client.project === undefined) return false;
  const file = join(project, client.project);
  const folder = dirname(file);
  return exists(file) || (folder !== project && exists(folder));
}

function machineOf({ io: { home, env } }: Context): Machine {
  return { home, env, os: Deno.build.os };
}
