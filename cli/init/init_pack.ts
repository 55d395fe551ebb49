/** `toolscript init pack NAME`: writes a working pack and its test, to be changed. */

import { join, relative } from "node:path";
import { attempt } from "#base";
import { type Config, findProject, linesOf } from "#config";
import { discoverPacks, reservedNames } from "#packs";
import { loadReadable, withStoredTrust } from "../config.ts";
import type { Context } from "../context.ts";
import { CliError } from "../error.ts";
import { nearPath } from "../paths.ts";
import { shellWord } from "../shell.ts";
import { trustOwn } from "../trust/trust_own.ts";
import { ignoreState } from "./ignore.ts";
import { writeNew } from "./write_new.ts";

const TEMPLATE = new URL("./template/", import.meta.url);

export async function initPack(context: Context): Promise<number> {
  const { io, options, operands: [name], print } = context;
  if (name === undefined) {
    throw new CliError(2, "Cannot make a pack: no name: use toolscript init pack NAME");
  }
  const scope = options.home === true ? "home" : "project";
  const project = await findProject(io);
  // An invalid configuration does not prevent a new pack.
  const config = await loadReadable(context);
  const stored = await loadReadable(withStoredTrust(context));
  const problem = nameProblem(name, { project, home: io.home, scope, config });
  if (problem !== undefined) throw new CliError(2, `Cannot make the pack "${name}": ${problem}`);

  const root = scope === "home" ? io.home : project;
  const state = join(root, ".onetool");
  const place = { folder: state, root: scope === "home" ? state : root };
  const folder = join(state, "tools", name);
  if (isFilled(folder)) throw existsAlready(name, folder);
  const isTrusted = scope === "home" || hasOnlyTrusted(join(state, "tools"), stored);
  const ending = options.python === true ? "py" : "ts";
  const [pack = "", test = ""] = await writeFiles(folder, { name, ending, below: place.root });
  if (isTrusted && scope === "project") {
    const lines = linesOf({ packs: [relative(project, pack)] });
    await trustOwn(context, { before: stored?.trust, lines, hasPack: true });
  }
  ignoreState(place);
  const created = { files: [pack, test], test: testCommand({ pack, test, ending, cwd: io.cwd }) };
  const call = `toolscript run '${name}.greet(name="Ana")'`;
  if (options.json === true) await print.json({ ...created, try: call });
  else {
    for (const file of created.files) await print.data(nearPath(file, io.cwd));
    await print.say(`Test it:  ${created.test}\nTry it:   ${call}`);
  }
  if (!isTrusted && config?.trust.all !== true) {
    await print.warn(
      `Cannot start the pack "${name}": the project is not trusted: toolscript trust`,
    );
  }
  return 0;
}

/** Returns true where the new pack will be the only thing in the folder that no person has seen. */
function hasOnlyTrusted(tools: string, stored: Config | undefined): boolean {
  const kind = stored?.trust.kind;
  // Files without a pack among them need no trust, so no person was asked about them.
  return kind === "trusted" || (kind === "none" && !isFilled(tools));
}

function isFilled(folder: string): boolean {
  // One that does not exist; a link is refused when it is written to.
  const isFolder = attempt(() => Deno.lstatSync(folder).isDirectory, false);
  return isFolder && [...Deno.readDirSync(folder)].length > 0;
}

/** Writes the files into a new folder. */
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
    const text = await Deno.readTextFile(new URL(`example_${kind}.${ending}`, TEMPLATE));
    const own = text.replaceAll("example_", `${name}_`).replaceAll("`example.", `\`${name}.`);
    if (!writeNew(file, own, { root: below })) throw existsAlready(name, folder);
    files.push(file);
  }
  return files;
}

function existsAlready(name: string, folder: string): CliError {
  const state = `"${folder}" has files already: choose another name, or remove it`;
  return new CliError(2, `Cannot make the pack "${name}": ${state}`);
}

interface PackFiles {
  readonly pack: string;
  readonly test: string;
  readonly ending: "ts" | "py";
  readonly cwd: string;
}

function testCommand({ pack, test, ending, cwd }: PackFiles): string {
  const [tools, own] = [pack, test].map((file) => shellWord(nearPath(file, cwd)));
  if (ending === "ts") return `deno test ${own}`;
  return `uv run --no-project --with-requirements ${tools} ${own}`;
}

/** Identifier in programs and in commands. */
const NAME = /^[A-Za-z][A-Za-z0-9_]*$/;
const MAX_LENGTH = 64;
const RESERVED = new Set(
  ("arguments await break case catch class const continue debugger default delete do else enum " +
    "eval export extends false finally for function if implements import in instanceof interface " +
    "let new null package private protected public return static super switch this throw true try " +
    "typeof var void while with yield").split(" "),
);

export interface PackPlace {
  readonly project: string;
  readonly home: string;
  readonly scope: "project" | "home";
  /** Undefined for an invalid configuration. */
  readonly config: Config | undefined;
}

/** Reason why a pack cannot have this name, with the fix; undefined for a valid name. */
export function nameProblem(name: string, place: PackPlace): string | undefined {
  if (!NAME.test(name) || name.length > MAX_LENGTH) {
    const other = proposed(name);
    const way = other === undefined ? "" : `: try "${other}"`;
    return `a name has letters, digits and _, a letter first, at most ${MAX_LENGTH}${way}`;
  }
  if (RESERVED.has(name)) return `it is a reserved word: try "${name}_tools"`;
  const owner = ownerOf(name, place);
  return owner === undefined ? undefined : `${owner} has this name: choose another`;
}

function ownerOf(name: string, { project, home, scope, config }: PackPlace): string | undefined {
  const configured = [...config?.servers ?? [], ...config?.trust.servers ?? []];
  const servers = configured.map((server) => server.name);
  const owner = reservedNames(servers).get(name);
  if (owner !== undefined) return owner;
  const { extensions: _, ...builtin } = config?.packs ?? {};
  if (Object.hasOwn(builtin, name)) return "a pack that comes with Toolscript";
  const { packs } = discoverPacks({ project, home, reserved: new Map() });
  return packs.find((pack) => pack.name === name && pack.scope === scope)?.file;
}

function proposed(name: string): string | undefined {
  const plain = name.replace(/\W+/g, "_").replace(/^[^A-Za-z]+|_+$/g, "").slice(0, MAX_LENGTH);
  return NAME.test(plain) && plain !== name ? plain : undefined;
}
