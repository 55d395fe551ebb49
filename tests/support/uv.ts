/** The real uv: that of the machine, else one installed from the package index, once. */

import { delimiter, join } from "node:path";

const VERSION = "0.13.9";

/** The test's own environment with `uv` in its PATH. */
export async function environmentWithUv(): Promise<Record<string, string>> {
  const environment = Deno.env.toObject();
  const folder = await uvFolder(environment);
  return { ...environment, PATH: `${folder}${delimiter}${environment.PATH ?? ""}` };
}

/** Puts `uv` in this process's PATH, for a gateway that is started inside it. */
export async function provideUv(): Promise<void> {
  const { PATH = "" } = await environmentWithUv();
  Deno.env.set("PATH", PATH);
}

async function uvFolder(environment: Readonly<Record<string, string>>): Promise<string> {
  for (const folder of (environment.PATH ?? "").split(delimiter)) {
    if (folder !== "" && await works(join(folder, "uv"))) return folder;
  }
  const cache = environment.XDG_CACHE_HOME ?? join(environment.HOME ?? "/tmp", ".cache");
  const folder = join(cache, "toolscript-tests", `uv-${VERSION}`);
  if (await works(join(folder, "uv"))) return folder;
  await install(folder);
  return folder;
}

/** Two test files at once install two, of which the second finds the first in its place. */
async function install(folder: string): Promise<void> {
  const venv = await Deno.makeTempDir({ prefix: "toolscript-uv-" });
  try {
    await run("python3", ["-m", "venv", venv]);
    await run(join(venv, "bin/pip"), ["install", "--quiet", `uv==${VERSION}`]);
    await Deno.mkdir(folder, { recursive: true });
    const part = join(folder, `uv.${crypto.randomUUID()}`);
    await Deno.copyFile(join(venv, "bin/uv"), part);
    await Deno.chmod(part, 0o755);
    await Deno.rename(part, join(folder, "uv"));
  } finally {
    await Deno.remove(venv, { recursive: true });
  }
}

async function works(uv: string): Promise<boolean> {
  try {
    return (await new Deno.Command(uv, { args: ["--version"], stdout: "null", stderr: "null" })
      .output()).success;
  } catch {
    // Not there.
    return false;
  }
}

async function run(command: string, args: string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command(command, { args, stdout: "null" }).output();
  if (!success) throw new Error(`${command} failed: ${new TextDecoder().decode(stderr)}`);
}
