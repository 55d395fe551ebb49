/** What the examples of one page run on: a project with real servers, a gateway, a command line. */

import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { loadConfig } from "#config";
import { removeTree } from "../support/files.ts";
import { openGateway, type TestGateway } from "../support/gateway.ts";
import { pinnedCommand } from "../support/servers.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
/** Of what the machine has, what commands need beside PATH and HOME. */
const KEPT =
  /^(TMPDIR|https?_proxy|no_proxy|ssl_cert_file|ssl_cert_dir|node_extra_ca_certs|npm_.*)$/i;

export interface Ended {
  readonly code: number;
  /** What a terminal would show: stdout and stderr together. */
  readonly output: string;
}

export interface Stage extends AsyncDisposable {
  readonly gateway: TestGateway;
  write(path: string, text: string): Promise<void>;
  /** Modules that the page has written so far. */
  modules(): Promise<Record<string, string>>;
  /** Runs shell lines in the project, with `toolscript` in PATH. They find the gateway of the stage;
   * with `isAlone` no gateway but those that the page itself started. */
  shell(lines: string, options?: { readonly isAlone?: boolean }): Promise<Ended>;
  /** Whether this machine has a program that an example needs; true for none. */
  has(program: string | undefined): Promise<boolean>;
  /** The findings of a configuration; variables that it names are set. */
  findings(files: Readonly<Record<string, string>>): Promise<string[]>;
}

const SERVERS = "servers: { filesystem: &a { command: x }, memory: *a, everything: *a }";

export interface StageOptions {
  /** Additions of the page to the configuration. */
  readonly config: Readonly<Record<string, unknown>>;
  /** Text of the examples. */
  readonly text: string;
}

/** Opens the stage: the notes of `examples/`, those of three servers from npm that the text names,
 * and a place to write. */
export async function openStage({ config, text }: StageOptions): Promise<Stage> {
  const home = await Deno.makeTempDir({ prefix: "toolscript-docs-" });
  const servers = Object.entries({
    filesystem: pinnedCommand("filesystem", ["."]),
    memory: { ...pinnedCommand("memory"), env: { MEMORY_FILE_PATH: join(home, "graph.jsonl") } },
    everything: pinnedCommand("everything"),
  }).filter(([name]) => text.includes(name));
  const gateway = await openGateway({ ...config, servers: Object.fromEntries(servers) });
  const { project } = gateway;
  await copyFolder(join(ROOT, "examples/notes"), join(project, "notes"));
  const bin = join(home, "bin");
  await Deno.mkdir(bin);
  const program = [Deno.execPath(), "run", "-A", "--quiet", "--no-check"];
  const command = [...program, `--config=${ROOT}deno.json`, `${ROOT}main.ts`];
  await Deno.writeTextFile(
    join(bin, "toolscript"),
    `#!/bin/sh\nexec ${command.map((word) => `'${word}'`).join(" ")} "$@"\n`,
    { mode: 0o755 },
  );
  await gateway.ready();
  const written: string[] = [];

  async function write(path: string, text: string): Promise<void> {
    await Deno.mkdir(dirname(join(project, path)), { recursive: true });
    await Deno.writeTextFile(join(project, path), text);
    if (path.endsWith(".ts")) written.push(path);
  }

  const alone = join(home, "alone");
  await Deno.mkdir(alone);

  async function shell(lines: string, { isAlone = false } = {}): Promise<Ended> {
    const { code, stdout } = await new Deno.Command("sh", {
      args: ["-c", `exec 2>&1\nset -e\n${lines}`],
      cwd: project,
      clearEnv: true,
      env: environment(isAlone ? alone : gateway.home, bin),
      stdin: "null",
      stdout: "piped",
    }).output();
    return { code, output: new TextDecoder().decode(stdout) };
  }

  return {
    gateway,
    write,
    shell,
    findings,
    has: async (program) => !program || (await shell(`command -v ${program}`)).code === 0,
    async modules() {
      const texts = written.map(async (path) =>
        [path, await Deno.readTextFile(join(project, path))] as const
      );
      return Object.fromEntries(await Promise.all(texts));
    },
    async [Symbol.asyncDispose]() {
      await shell("toolscript gateway stop --all || true", { isAlone: true });
      await gateway[Symbol.asyncDispose]();
      await removeTree(home);
    },
  };
}

function environment(home: string, bin: string): Record<string, string> {
  const all = Deno.env.toObject();
  const cache = all.DENO_DIR ?? `${all.XDG_CACHE_HOME ?? `${all.HOME}/.cache`}/deno`;
  const kept = Object.entries(all).filter(([name]) => KEPT.test(name));
  const own = { PATH: `${bin}:${dirname(Deno.execPath())}:${all.PATH}`, HOME: home };
  return {
    ...Object.fromEntries(kept),
    ...own,
    TOOLSCRIPT_TRUST: "all",
    DENO_DIR: cache,
    NO_COLOR: "1",
  };
}

async function findings(files: Readonly<Record<string, string>>): Promise<string[]> {
  const root = await Deno.makeTempDir({ prefix: "toolscript-docs-config-" });
  // A page's aliases name the servers of the stage.
  const home = files[".mcp.json"] ? {} : { "home/.onetool/onetool.yaml": SERVERS };
  try {
    for (const [path, text] of Object.entries({ ...home, ...files })) {
      await Deno.mkdir(dirname(join(root, path)), { recursive: true });
      await Deno.writeTextFile(join(root, path), text);
    }
    const text = Object.values(files).join("\n");
    const names = [...text.matchAll(/\$\{(\w+)\}/g)].map(([, name = ""]) => name);
    const env = Object.fromEntries(names.map((name) => [name, "set"]));
    env.TOOLSCRIPT_TRUST = "all";
    const config = await loadConfig({ env, home: join(root, "home"), cwd: root });
    return config.warnings.map(({ message }) => message);
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

async function copyFolder(from: string, to: string): Promise<void> {
  await Deno.mkdir(to, { recursive: true });
  for await (const { name } of Deno.readDir(from)) {
    await Deno.copyFile(join(from, name), join(to, name));
  }
}
