/** `toolscript init pack NAME`: writes a working pack and its test, to be changed. */

import { join } from "node:path";
import { type Config, ConfigError, findProject, writeTrust } from "#config";
import { loadAnew } from "../config.ts";
import type { Context } from "../context.ts";
import { CliError } from "../error.ts";
import { nearPath } from "../near_path.ts";
import { ignoreState } from "./ignore.ts";
import { nameProblem } from "./pack_name.ts";
import { isThere, writeNew } from "./write_new.ts";

const TEMPLATE = new URL("./template/", import.meta.url);

export async function initPack(context: Context): Promise<number> {
  const { io, options, operands: [name], print } = context;
  if (name === undefined) {
    throw new CliError(2, "Cannot make a pack: no name: use toolscript init pack NAME");
  }
  const scope = options.home === true ? "home" : "project";
  const project = await findProject(io);
  const config = await readableConfig(context);
  const problem = nameProblem(name, { project, home: io.home, scope, config });
  if (problem !== undefined) throw new CliError(2, `Cannot make the pack "${name}": ${problem}`);

  const root = scope === "home" ? io.home : project;
  const state = join(root, ".onetool");
  const place = { folder: state, root: scope === "home" ? state : root };
  const folder = join(state, "tools", name);
  const ending = options.python === true ? "py" : "ts";
  const [pack = "", test = ""] = await writeFiles(folder, { name, ending, below: place.root });
  const wasTrusted = config !== undefined && config.trust.kind !== "untrusted";
  if (wasTrusted && scope === "project") await trustOwn(context);
  ignoreState(place);
  const created = { files: [pack, test], test: testCommand({ pack, test, ending, cwd: io.cwd }) };
  const attempt = `toolscript run '${name}.greet(name="Ana")'`;
  if (options.json === true) await print.json({ ...created, try: attempt });
  else {
    for (const file of created.files) await print.data(nearPath(file, io.cwd));
    await print.say(`Test it:  ${created.test}\nTry it:   ${attempt}`);
  }
  return 0;
}

/** Loads the configuration; undefined for an invalid one, which does not prevent a new pack. */
async function readableConfig(context: Context): Promise<Config | undefined> {
  try {
    return await loadAnew(context);
  } catch (error) {
    if (error instanceof ConfigError) return undefined;
    throw error;
  }
}

/** Trusts the new pack of a project that was trusted, or had nothing to trust. */
async function trustOwn(context: Context): Promise<void> {
  const { trust: { project, hash, tools, items, kind } } = await loadAnew(context);
  if (hash === undefined || kind === "none") return;
  await writeTrust(context.io.home, project, { hash, tools, ...items });
}

/** Writes all files, or none if one exists. */
async function writeFiles(
  folder: string,
  { name, ending, below }: {
    readonly name: string;
    readonly ending: "ts" | "py";
    readonly below: string;
  },
): Promise<string[]> {
  const files: string[] = [];
  for (const kind of ["tools", "test"]) {
    const file = join(folder, `${name}_${kind}.${ending}`);
    if (await isThere(file)) throw existsAlready(name, file);
    files.push(file);
  }
  for (const [index, kind] of ["tools", "test"].entries()) {
    const text = await Deno.readTextFile(new URL(`example_${kind}.${ending}`, TEMPLATE));
    const own = text.replaceAll("example_", `${name}_`).replaceAll("`example.", `\`${name}.`);
    const file = files[index] ?? "";
    if (!writeNew(file, own, { root: below })) throw existsAlready(name, file);
  }
  return files;
}

function existsAlready(name: string, file: string): CliError {
  return new CliError(2, `Cannot make the pack "${name}": "${file}" exists already`);
}

interface PackFiles {
  readonly pack: string;
  readonly test: string;
  readonly ending: "ts" | "py";
  readonly cwd: string;
}

function testCommand({ pack, test, ending, cwd }: PackFiles): string {
  const [tools, own] = [pack, test].map((file) => quoted(nearPath(file, cwd)));
  if (ending === "ts") return `deno test ${own}`;
  return `uv run --no-project --with-requirements ${tools} ${own}`;
}

/** Quotes a word for a POSIX shell. */
function quoted(word: string): string {
  return /^[\w./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
