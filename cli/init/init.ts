/** `toolscript init`: a configuration to begin with, and the servers that are there already. */

import { join, relative } from "node:path";
import { stringify } from "yaml";
import { configJsonSchema, findFile, findProject, writeTrust } from "#config";
import { loadAnew, reportConfigError } from "../config.ts";
import type { Context } from "../context.ts";
import { escapeControls } from "../terminal.ts";
import { readClients } from "./client_files.ts";
import { ignoreState } from "./ignore.ts";
import { openSecrets } from "./secret_keeper.ts";
import { takeServer } from "./take_server.ts";
import { type InitPlace, writeNew, writeWhole } from "./write_new.ts";

interface Taken {
  readonly name: string;
  readonly from: string;
  readonly enabled: boolean;
}

interface Left {
  readonly name: string;
  readonly from: string;
  readonly why: string;
}

interface Gathered {
  /** By name, as they are written. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly taken: readonly Taken[];
  readonly left: readonly Left[];
  /** What a person should know, each a sentence. */
  readonly notes: readonly string[];
}

const NOTHING: Gathered = { settings: {}, taken: [], left: [], notes: [] };

export async function init(context: Context): Promise<number> {
  const { io, options, print } = context;
  const root = options.home === true ? io.home : await findProject(io);
  const known = await findFile(root);
  const folder = join(root, ".onetool");
  const place = { folder, root: options.home === true ? folder : root };
  const ignored = ignoreState(place);
  const gathered = known === undefined ? gather(context, { ...place, base: root }) : NOTHING;
  const files = known === undefined ? await writeConfig(place, gathered) : [];
  if (ignored !== undefined) files.push(ignored);
  writeSchema(place);
  const { taken: servers, left } = gathered;
  if (options.json === true) {
    await print.json({ config: known ?? join(folder, "onetool.yaml"), files, servers, left });
  } else for (const path of files) await print.data(near(path, io.cwd));
  if (known) await print.say(`Kept ${near(known, io.cwd)}: it is there, and stays as it is`);
  for (const { name, from } of servers) await print.say(`Took the server "${name}" from ${from}`);
  for (const note of gathered.notes) await print.warn(note);
  try {
    if (known === undefined && options.home !== true) await trustOwn(context, servers.length);
    else await loadAnew(context);
  } catch (error) {
    await reportConfigError(error, { print, cwd: io.cwd });
    return 2;
  }
  await print.say("See whether everything works: toolscript doctor");
  return 0;
}

/** Reads the servers of other clients; writes the secrets among them. */
function gather(
  context: Context,
  { base, ...place }: InitPlace & { readonly base: string },
): Gathered {
  const { io, options } = context;
  const secrets = openSecrets(place);
  const clients = readClients(base, { io, desktop: options["claude-desktop"] === true });
  const settings = new Map<string, unknown>();
  const taken: Taken[] = [];
  const left: Left[] = [];
  const notes = [...clients.problems];
  for (const found of clients.servers) {
    const from = near(found.file, base);
    const server = takeServer(found, { secrets, env: io.env });
    if (server.kind === "taken" && !settings.has(server.name)) {
      const { name, lacks } = server;
      settings.set(name, server.settings);
      taken.push({ name, from, enabled: server.settings.enabled !== false });
      if (lacks.length > 0) {
        notes.push(`The server "${name}" is switched off: set ${lacks.join(" and ")} first`);
      }
      continue;
    }
    const why = server.kind === "left" ? server.why : "there is one of this name already";
    left.push({ name: found.name, from, why });
    notes.push(`Left out the server "${found.name}" of ${from}: ${why}`);
  }
  if (secrets.size > 0) {
    secrets.write();
    const what = secrets.size === 1 ? "One secret was" : `${secrets.size} secrets were`;
    notes.push(`${what} copied to .onetool/secrets.yaml, which nobody else may read`);
  }
  return { settings: Object.fromEntries(settings), taken, left, notes };
}

/** Trusts the configuration that was just written, unless the project starts more than the `taken`
 * servers: packs, or servers of `.mcp.json` that were left out. */
async function trustOwn(context: Context, taken: number): Promise<void> {
  const { io, print } = context;
  const { trust } = await loadAnew(context);
  const { kind, project, hash, items } = trust;
  if (kind === "none") return;
  if (items.starts.length > taken || items.changes.length > 0 || hash === undefined) {
    await print.warn("The project starts more than init wrote: look at it: toolscript trust");
    return;
  }
  await writeTrust(io.home, project, { hash, ...items });
  for (const item of items.starts) await print.say(`Trusted: ${escapeControls(item)}`);
}

/** Writes the configuration unless there is one; answers what it wrote. */
async function writeConfig(
  { folder, root }: InitPlace,
  { settings: servers }: Gathered,
): Promise<string[]> {
  const file = join(folder, "onetool.yaml");
  const intro = await Deno.readTextFile(new URL("./template/onetool.yaml", import.meta.url));
  const own = Object.keys(servers).length > 0
    ? `\n${stringify({ servers }, { lineWidth: 100 })}`
    : "";
  return writeNew(file, `${intro}${own}`, { root }) ? [file] : [];
}

/** For editors; nothing here reads it. */
function writeSchema({ folder, root }: InitPlace): void {
  const schema = join(folder, "cache", "onetool.schema.json");
  writeWhole(schema, `${JSON.stringify(configJsonSchema(), null, 2)}\n`, { root });
}

/** Relative where that is shorter to read. */
function near(file: string, cwd: string): string {
  const path = relative(cwd, file);
  return path.startsWith("..") ? file : path;
}
