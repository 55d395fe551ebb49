/** The plugin's starter in a folder with foreign files. */

import { equal, ok } from "node:assert/strict";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { give, ignore as isOther } from "./owner.ts";

const PLUGIN = fileURLToPath(new URL("../../plugin", import.meta.url));
const STARTER = join(PLUGIN, "bin", "toolscript");
const NODE = await which("node");

interface Place extends AsyncDisposable {
  readonly home: string;
  readonly project: string;
  /** Outside the project, with a link to the installed Deno. */
  readonly bin: string;
  /** Names of what ran that must not. */
  ran(): Promise<string[]>;
}

/** A project that tries to have its own programs and settings used. */
async function hostilePlace(): Promise<Place> {
  const root = await Deno.makeTempDir({ prefix: "toolscript-starter-" });
  const [home, project, bin, log] = ["home", "project", "bin", "log"].map((name) =>
    join(root, name)
  ) as [string, string, string, string];
  for (const folder of [home, bin, log, join(project, "sub"), join(project, ".git")]) {
    await Deno.mkdir(folder, { recursive: true });
  }
  await Deno.symlink(Deno.execPath(), join(bin, "deno"));
  const commands = join(project, "node_modules", ".bin");
  for (const folder of [project, commands, join(project, "tools")]) {
    await Deno.mkdir(folder, { recursive: true });
    for (const name of ["deno", "node", "npx"]) {
      const script = `#!/bin/sh\ntouch ${log}/${name}\necho "deno 2.9.6"\n`;
      await Deno.writeTextFile(join(folder, name), script, { mode: 0o755 });
    }
  }
  const evil = `Deno.writeTextFileSync(${JSON.stringify(join(log, "module"))}, "");`;
  const files = {
    "evil.js": evil,
    "deno.json": JSON.stringify({
      imports: { hono: "./evil.js", "#cli": "./evil.js", yaml: "./evil.js" },
      nodeModulesDir: "auto",
      preload: ["./evil.js"],
    }),
    "deno.lock": "{",
    "package.json": JSON.stringify({ type: "module", dependencies: { yaml: "file:./evil.js" } }),
    ".npmrc": "registry=http://127.0.0.1:9/\nnode-options=--require ./evil.js\n",
    ".env": "NODE_OPTIONS=--require ./evil.js\nDENO_DIR=./cache\n",
  };
  for (const [name, text] of Object.entries(files)) {
    await Deno.writeTextFile(join(project, name), text);
  }
  return {
    home,
    project,
    bin,
    ran: async () => (await Array.fromAsync(Deno.readDir(log))).map(({ name }) => name),
    [Symbol.asyncDispose]: () => Deno.remove(root, { recursive: true }),
  };
}

interface Session {
  readonly path: readonly string[];
  readonly cwd?: string;
  readonly env?: Record<string, string>;
  /** The starter, where it is a copy of it. */
  readonly starter?: string;
  readonly words?: readonly string[];
}

async function start(
  { home, project }: Place,
  { path, cwd = project, env, starter = STARTER, words = ["run", "1+1"] }: Session,
) {
  const { DENO_DIR, HOME } = Deno.env.toObject();
  const command = new Deno.Command(NODE, {
    args: [starter, ...words],
    stdin: "null",
    cwd,
    clearEnv: true,
    env: {
      HOME: home,
      PATH: [...path, "/usr/bin", "/bin"].join(delimiter),
      DENO_DIR: DENO_DIR ?? `${HOME}/.cache/deno`,
      ...env,
    },
  });
  const { stdout, stderr } = await command.output();
  const decoder = new TextDecoder();
  return { stdout: decoder.decode(stdout).trim(), stderr: decoder.decode(stderr) };
}

Deno.test("the starter runs no program of the session's folder, and takes none of its settings", async (t) => {
  await using place = await hostilePlace();
  const { project, bin, home } = place;
  const link = join(home, "link");
  await Deno.symlink(join(project, "tools"), link);
  const linked = join(home, "linked");
  await Deno.mkdir(linked);
  await Deno.symlink(join(project, "tools", "deno"), join(linked, "deno"));
  const sessions: Record<string, Session> = {
    "a clean PATH": { path: [bin] },
    "relative entries and an empty one first": { path: ["node_modules/.bin", ".", "", bin] },
    "folders of the project first": { path: [join(project, "tools"), project, bin] },
    "commands of its packages, from a folder below": {
      path: [join(project, "node_modules", ".bin"), join(project, "tools"), bin],
      cwd: join(project, "sub"),
    },
    "a link to a folder of the project": { path: [link, bin] },
    "a link to a program of the project": { path: [linked, bin] },
    "a session beside its project": {
      path: [join(project, "tools"), bin],
      cwd: home,
      env: { CLAUDE_PROJECT_DIR: project },
    },
  };
  for (const [name, session] of Object.entries(sessions)) {
    await t.step(name, async () => {
      const { stdout, stderr } = await start(place, session);
      equal(stdout, "2", stderr);
      equal((await place.ran()).join(), "");
    });
  }
});

Deno.test("the starter runs no program that another user can have put there", async (t) => {
  const rows: Record<string, { ignore?: boolean; open: (folder: string) => void }> = {
    "everyone's": { open: (folder) => Deno.chmodSync(folder, 0o777) },
    "everyone's, sticky": { open: (folder) => Deno.chmodSync(folder, 0o1777) },
    "another user's": { ignore: isOther, open: give },
    "everyone's, above": { open: (folder) => Deno.chmodSync(dirname(folder), 0o777) },
  };
  for (const [name, { ignore = false, open }] of Object.entries(rows)) {
    await t.step({
      name,
      ignore,
      async fn() {
        await using place = await hostilePlace();
        const tools = join(place.home, "above", "tools");
        await Deno.mkdir(dirname(tools));
        await Deno.rename(join(place.project, "tools"), tools);
        open(tools);
        const { stdout, stderr } = await start(place, { path: [tools, place.bin] });
        equal(stdout, "2", stderr);
        equal((await place.ran()).join(), "");
        const env = { TOOLSCRIPT_TRUST: "all" };
        await start(place, { path: [tools, place.bin], env });
        equal((await place.ran()).includes("deno"), true);
      },
    });
  }
});

Deno.test("the starter runs the Deno that a version manager has, not the project's choice", async (t) => {
  await using place = await hostilePlace();
  const { project, bin, home } = place;
  const shims = join(home, "shims");
  await Deno.mkdir(shims);
  // As the programs of asdf and mise: the file where they start says which program runs.
  const shim = `#!/bin/sh\n[ -f .tool-versions ] && exec "./$(cat .tool-versions)" "$@"\n` +
    `exec ${join(bin, "deno")} "$@"\n`;
  await Deno.writeTextFile(join(shims, "deno"), shim, { mode: 0o755 });
  await Deno.writeTextFile(join(project, ".tool-versions"), "tools/deno");
  for (const words of [["run", "1+1"], ["mcp", "--private"]]) {
    await t.step(words.join(" "), async () => {
      const { stdout, stderr } = await start(place, { path: [shims, bin], words });
      equal(stdout, words[0] === "run" ? "2" : "", stderr);
      equal((await place.ran()).join(), "");
    });
  }
});

Deno.test("the starter runs no program of the folder that --project names", async () => {
  await using place = await hostilePlace();
  const { project, bin, home } = place;
  const path = [join(project, "tools"), bin];
  for (const named of [["--project", project], [`--project=${project}`]]) {
    const words = ["mcp", "--private", ...named];
    const { stderr } = await start(place, { path, cwd: home, words });
    equal(stderr, "");
  }
  equal((await place.ran()).join(), "");
});

Deno.test("a starter without its clone takes no package of the session's folder", async (t) => {
  await using place = await hostilePlace();
  const { project, bin, home } = place;
  const copy = join(home, "copy");
  equal((await new Deno.Command("cp", { args: ["-R", PLUGIN, copy] }).output()).code, 0);
  const starter = join(copy, "bin", "toolscript");
  /** Installs a package that says so, and its command as a link. */
  const install = async (modules: string, commands: string, message: string) => {
    const file = join(modules, "toolscript", "npm", "starter.cjs");
    await Deno.mkdir(join(modules, "toolscript", "npm"), { recursive: true });
    const run = `exports.start = () => console.log(${JSON.stringify(message)});`;
    await Deno.writeTextFile(file, run);
    await Deno.symlink(file, join(commands, "toolscript"));
  };
  const commands = join(project, "node_modules", ".bin");
  await install(join(project, "node_modules"), commands, "foreign");
  await Deno.symlink(join(commands, "toolscript"), join(bin, "toolscript"));
  const foreign = [commands, project, join(project, "tools"), bin];
  await t.step("that of the project alone", async () => {
    const { stdout, stderr } = await start(place, { path: foreign, starter });
    equal(stdout, "");
    ok(stderr.includes("it is not installed: npm install -g toolscript"), stderr);
  });
  await t.step("one behind that of the project", async () => {
    const prefix = join(home, "prefix");
    await Deno.mkdir(prefix);
    await install(join(home, "lib", "node_modules"), prefix, "own");
    const { stdout, stderr } = await start(place, { path: [...foreign, prefix], starter });
    equal(stdout, "own", stderr);
  });
});

Deno.test("the starter asks npx from a folder of its own", async () => {
  await using place = await hostilePlace();
  const { project, bin, home } = place;
  await Deno.remove(join(bin, "deno"));
  const seen = join(home, "seen");
  const script = `#!/bin/sh\n{ pwd; env; } > ${seen}\necho ${Deno.execPath()}\n`;
  await Deno.writeTextFile(join(bin, "npx"), script, { mode: 0o755 });
  const { stdout, stderr } = await start(place, {
    path: [join(project, "node_modules", ".bin"), bin],
    env: {
      NODE_OPTIONS: "--no-warnings",
      npm_lifecycle_event: "start",
      npm_config_registry: "http://127.0.0.1:9/",
    },
  });
  equal(stdout, "2", stderr);
  equal((await place.ran()).join(), "");
  const [cwd, ...env] = (await Deno.readTextFile(seen)).split("\n");
  equal(cwd, join(await Deno.realPath(home), ".onetool", "cache", "starter"));
  const names = env.map((line) => line.split("=")[0]);
  for (const name of ["NODE_OPTIONS", "npm_config_registry", "npm_lifecycle_event"]) {
    ok(!names.includes(name), name);
  }
  ok(!env.some((line) => line.startsWith("PATH=") && line.includes(project)));
});

async function which(name: string): Promise<string> {
  for (const folder of (Deno.env.get("PATH") ?? "").split(delimiter)) {
    try {
      if ((await Deno.stat(join(folder, name))).isFile) return join(folder, name);
    } catch {
      // Not there.
    }
  }
  throw new Error(`No "${name}" is installed`);
}
