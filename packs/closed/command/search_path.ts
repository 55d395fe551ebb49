/** `PATH` of a command: the server's own, that of its words, and environments of conda by name. */

import { delimiter, dirname, join } from "node:path";
import { attempt } from "#base";
import { readRegularText } from "#files";
import type { StartedProgram } from "../../server_config.ts";
import { realOf } from "../link_names.ts";
import type { ProgramPlaces } from "../scripts.ts";
import { wordsOf } from "../words.ts";
import { foldersOf } from "./named_programs.ts";

/** `conda run -n NAME`, `conda activate NAME`. */
const CONDA =
  /(?:conda|mamba)(?:\.exe)?["']?\s(?:.{0,500}?\s)?(?:(?:-n|--name)[\s=]*|activate\s+)["']?([\w@+][\w@+.-]*)/gs;
/** Folders of the home folder with environments in `envs`. */
const HOMES =
  ".conda miniconda3 anaconda3 miniforge3 mambaforge micromamba .micromamba .local/share/mamba"
    .split(" ");
/** A reference to the gateway's `PATH`, as other clients write it. */
const REFERENCE = /\$(?:\{(?:env:)?PATH\}|PATH\b)/g;
const MOST_BYTES = 64 * 1024;

export function searchPathOf(server: StartedProgram, places: ProgramPlaces): string {
  const { command, args, cwd, env } = server;
  const words = [command, ...args];
  const own = (env.PATH ?? places.path).replaceAll(REFERENCE, () => places.path);
  const among = wordsOf(words).flatMap((word) => /^PATH=(.+)/s.exec(word)?.[1] ?? []);
  const path = [...among, own].join(delimiter);
  const names = [...words.join(" ").matchAll(CONDA)].map(([, name = ""]) => name);
  if (names.length === 0) return path;
  const programs = foldersOf({ bases: [cwd], path }).map((folder) => join(folder, "conda"));
  const roots = [command, ...programs].flatMap((program) => [program, realOf(program)])
    .map((program) => dirname(dirname(program)));
  const environments = environmentsOf(names, { roots, env, home: places.home });
  return [...environments.map((folder) => join(folder, "bin")), path].join(delimiter);
}

interface CondaPlaces extends Pick<StartedProgram, "env"> {
  /** Folders in which conda is installed. */
  readonly roots: readonly string[];
  readonly home: string;
}

/** Folders in which environments of these names may lie, and those that conda has listed. */
function environmentsOf(names: readonly string[], { roots, env, home }: CondaPlaces): string[] {
  const list = attempt(() => readRegularText(join(home, ".conda/environments.txt"), MOST_BYTES));
  const listed = (list ?? "").split(/[\r\n]+/)
    .filter((folder) => names.some((name) => folder.endsWith(`/${name}`)));
  const own = [env.MAMBA_ROOT_PREFIX ?? "/opt/conda", ...HOMES.map((name) => join(home, name))];
  const lists = [env.CONDA_ENVS_PATH, env.CONDA_ENVS_DIRS];
  const folders = [
    ...[...roots, ...own].map((root) => join(root, "envs")),
    ...lists.flatMap((folders) => folders?.split(delimiter) ?? []),
  ];
  return [...folders.flatMap((folder) => names.map((name) => join(folder, name))), ...listed];
}
