/** The container image: the steps of the Dockerfile in a folder, as a user without rights, and its
 * gateway before a project that cannot be written. No engine for images is needed. */

import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { sleep } from "#base";
import { freePort } from "../support/port.ts";
import { npmEnv } from "../support/npm.ts";
import { built } from "./built.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
/** User of the image; the test can become it where it is root. */
const UID = 1000;
const PORT = "8765";

interface Instruction {
  readonly name: string;
  readonly rest: string;
}

interface Image {
  readonly folder: string;
  readonly env: Record<string, string>;
  /** Starts a program of the image as its user. */
  command(words: readonly string[], options?: Deno.CommandOptions): Deno.Command;
}

Deno.test("the image is Debian, without rights, and checks the health of its gateway", async () => {
  const steps = await readDockerfile();
  const rest = (name: string) => steps.find((step) => step.name === name)?.rest;
  assert.match(rest("FROM") ?? "", /^node:\d+-(bookworm|trixie)-slim$/);
  assert.equal(rest("USER"), "node");
  assert.deepEqual(steps.slice(-2).map(({ name }) => name), ["ENTRYPOINT", "CMD"]);
  assert.match(rest("HEALTHCHECK") ?? "", new RegExp(`127\\.0\\.0\\.1:${PORT}/health`));
  assert.match(await Deno.readTextFile(join(ROOT, "compose.yaml")), /read_only: true/);
});

Deno.test("the steps of the Dockerfile make a gateway for a project that is read-only", async () => {
  const root = await Deno.makeTempDir({ prefix: "toolscript-image-" });
  try {
    const steps = await readDockerfile();
    const image = await build(join(root, "image"), steps);
    const project = join(root, "image", "project");
    await Deno.mkdir(join(project, ".onetool"), { recursive: true });
    await Deno.writeTextFile(join(project, ".onetool", "onetool.yaml"), "types: { learn: true }\n");
    for (const folder of [join(project, ".onetool"), project]) await Deno.chmod(folder, 0o555);
    await serves(image, steps, project);
    for (const folder of [project, join(project, ".onetool")]) await Deno.chmod(folder, 0o755);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});

/** Starts the entry point and waits until the health check of the image passes. */
async function serves(image: Image, steps: readonly Instruction[], cwd: string): Promise<void> {
  const port = String(await freePort());
  const words = (name: string): string[] => {
    const text = steps.find((step) => step.name === name)?.rest ?? "";
    return JSON.parse(text.slice(text.indexOf("[")).replaceAll(PORT, port));
  };
  const start = [...words("ENTRYPOINT"), ...words("CMD")];
  const gateway = image.command(start, { cwd, stdout: "null", stderr: "piped" }).spawn();
  let ended = false;
  const output = gateway.output().then((result) => {
    ended = true;
    return result;
  });
  while (!(await image.command(words("HEALTHCHECK"), { cwd }).output()).success) {
    if (ended) assert.fail(new TextDecoder().decode((await output).stderr));
    await sleep(250);
  }
  const run = [...words("ENTRYPOINT"), "run", "1 + 1"];
  const answer = await image.command(run, { cwd }).output();
  assert.equal(new TextDecoder().decode(answer.stdout), "2\n");
  assert.deepEqual([...Deno.readDirSync(cwd)].map(({ name }) => name), [".onetool"]);
  gateway.kill("SIGTERM");
  assert.equal((await output).code, 0, new TextDecoder().decode((await output).stderr));
}

/** Does what COPY, RUN and ENV say, below a folder in place of the image's root. */
async function build(folder: string, steps: readonly Instruction[]): Promise<Image> {
  const env = {
    ...npmEnv(),
    PATH: `${join(folder, "usr", "bin")}:${Deno.env.get("PATH")}`,
    npm_config_prefix: join(folder, "usr"),
    npm_config_cache: join(folder, "npm-cache"),
    npm_config_userconfig: join(folder, "npmrc"),
  };
  await Deno.mkdir(join(folder, "tmp"), { recursive: true });
  await Deno.copyFile(npmEnv().npm_config_userconfig ?? "", env.npm_config_userconfig)
    .catch(() => {});
  await own(folder);
  const command = (words: readonly string[], options: Deno.CommandOptions = {}) => {
    const [program = "", ...args] = words;
    const user = Deno.uid() === 0 ? { uid: UID, gid: UID } : {};
    return new Deno.Command(program, { args, env, clearEnv: true, ...user, ...options });
  };
  const image = { folder, env, command };
  for (const { name, rest } of steps) {
    if (name === "COPY") await copy(rest, folder);
    if (name === "ENV") Object.assign(env, variables(placed(rest, folder)));
    if (name === "RUN") await perform(image, rest);
  }
  return image;
}

/** Runs a step of the build. Owners are not changed: everything is the user's already. */
async function perform({ folder, command }: Image, rest: string): Promise<void> {
  const line = placed(rest, folder).replace(/&& chown .*$/, "");
  const { success, stderr } = await command(["sh", "-ec", line], { cwd: folder }).output();
  assert.ok(success, `${line}\n${new TextDecoder().decode(stderr)}`);
}

/** Copies the package to where the instruction says. */
async function copy(rest: string, folder: string): Promise<void> {
  const [from = "", to = ""] = rest.split(" ");
  assert.equal(from, "dist/toolscript-*.tgz");
  await Deno.copyFile(await built(".tgz"), join(folder, to));
  await own(folder);
}

/** Paths of the image become paths below the folder. */
function placed(text: string, folder: string): string {
  return text.replaceAll(/(?<=^|[\s=])\/(?=tmp\b|home\b|project\b)/g, `${folder}/`);
}

function variables(text: string): Record<string, string> {
  return Object.fromEntries(text.split(" ").map((pair) => pair.split("=")));
}

async function own(folder: string): Promise<void> {
  if (Deno.uid() !== 0) return;
  const { success } = await new Deno.Command("chown", {
    args: ["-R", `${UID}:${UID}`, dirname(folder)],
  }).output();
  assert.ok(success);
}

/** Instructions of the Dockerfile, each on one line. */
async function readDockerfile(): Promise<Instruction[]> {
  const text = await Deno.readTextFile(join(ROOT, "Dockerfile"));
  const lines = text.replaceAll(/\\\n\s*/g, "").split("\n");
  return lines.filter((line) => line !== "" && !line.startsWith("#")).map((line) => {
    const at = line.indexOf(" ");
    return { name: line.slice(0, at), rest: line.slice(at + 1) };
  });
}
