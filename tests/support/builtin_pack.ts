/** A pack that comes with Toolscript, made from a configuration as the gateway makes it. */

import type { JsonObject, JsonValue } from "#base";
import { loadConfig } from "#config";
import type { Pack } from "#packs";
import { makeBuiltin } from "./builtin.ts";

export interface BuiltinPackOptions {
  readonly name: string;
  /** Below `packs.<name>`. */
  readonly settings?: JsonObject;
  readonly environment?: Readonly<Record<string, string>>;
}

export interface BuiltinPackStage {
  readonly pack: Pack;
  /** The project's folder. */
  readonly project: string;
  call(tool: string, args?: JsonObject, signal?: AbortSignal): Promise<JsonValue>;
}

/** Runs `work` with the pack, in a project of its own. */
export async function withBuiltinPack(
  { name, settings = {}, environment = {} }: BuiltinPackOptions,
  work: (stage: BuiltinPackStage) => Promise<void>,
): Promise<void> {
  const project = await Deno.realPath(await Deno.makeTempDir());
  const home = await Deno.makeTempDir();
  try {
    await Deno.mkdir(`${project}/.onetool`);
    const config = JSON.stringify({ packs: { [name]: settings } });
    await Deno.writeTextFile(`${project}/.onetool/onetool.yaml`, config);
    const made = await loadConfig({ env: { TOOLSCRIPT_TRUST: "all" }, home, cwd: project });
    const pack = makeBuiltin(made, { project, home, environment })
      .find((pack) => pack.name === name);
    if (!pack) throw new Error(`There is no pack "${name}"`);
    await using _pack = pack;
    await work({
      pack,
      project,
      call: async (tool, args, signal) => (await pack.call(tool, args ?? {}, { signal })).value,
    });
  } finally {
    for (const folder of [project, home]) await Deno.remove(folder, { recursive: true });
  }
}

export type Serve = (request: Request, path: string) => Response | Promise<Response>;

/** Runs `work` with a server on this machine. */
export async function withServer(
  serve: Serve,
  work: (origin: string) => Promise<void>,
): Promise<void> {
  const options = { port: 0, hostname: "127.0.0.1", onListen() {} };
  const server = Deno.serve(options, (request) => serve(request, new URL(request.url).pathname));
  try {
    await work(`http://127.0.0.1:${server.addr.port}`);
  } finally {
    await server.shutdown();
  }
}
