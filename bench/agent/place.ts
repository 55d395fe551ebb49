/** Project of one task: the stub servers, their state, and the transcript of what the model sends. */

import { join } from "node:path";
import { dump } from "js-yaml";
import { SERVERS } from "./servers.ts";
import { initialState } from "./state.ts";
import { TASKS } from "./tasks.ts";
import type { State } from "./tool.ts";

const HERE = new URL(".", import.meta.url).pathname;

export interface Place {
  readonly folder: string;
  readonly project: string;
  readonly stateFile: string;
  readonly transcriptFile: string;
}

/** One call of the model and its reply. */
export interface Exchange {
  readonly command: string;
  readonly text: string;
  readonly failed: boolean;
}

export interface Result {
  readonly task: string;
  readonly solved: boolean;
  /** Solved without a call that failed. */
  readonly first: boolean;
  readonly calls: number;
  /** Characters of all replies. */
  readonly characters: number;
}

export function placeIn(folder: string): Place {
  return {
    folder,
    project: join(folder, "project"),
    stateFile: join(folder, "state.json"),
    transcriptFile: join(folder, "transcript.jsonl"),
  };
}

/** Makes the project with all servers in their first state. A project that is there keeps what
 * Toolscript has learned in it. */
export async function makePlace(folder: string): Promise<Place> {
  const place = placeIn(folder);
  await Deno.mkdir(join(place.project, ".onetool"), { recursive: true });
  await Deno.mkdir(join(folder, "home"), { recursive: true });
  await Deno.writeTextFile(place.stateFile, JSON.stringify(initialState()));
  await Deno.writeTextFile(place.transcriptFile, "");
  const servers = Object.fromEntries(
    Object.keys(SERVERS).map((name) => [name, {
      command: Deno.execPath(),
      args: ["run", "-A", "--quiet", "--no-check", `${HERE}stub_server.ts`, name, place.stateFile],
    }]),
  );
  await Deno.writeTextFile(join(place.project, ".onetool", "onetool.yaml"), dump({ servers }));
  return place;
}

/** Command line and environment of Toolscript in the place; `main` is the file that it starts from. */
export function commandOf({ folder, project }: Place, main: string, ...words: readonly string[]) {
  const config = join(main, "..", "deno.json");
  return {
    command: Deno.execPath(),
    args: ["run", "-A", "--quiet", "--no-check", `--config=${config}`, main, ...words],
    cwd: project,
    env: {
      PATH: Deno.env.get("PATH") ?? "",
      HOME: join(folder, "home"),
      DENO_DIR: Deno.env.get("DENO_DIR") ?? join(Deno.env.get("HOME") ?? "", ".cache", "deno"),
      TOOLSCRIPT_TRUST: "all",
    },
  };
}

export async function readTranscript({ transcriptFile }: Place): Promise<Exchange[]> {
  const text = await Deno.readTextFile(transcriptFile);
  return text.split("\n").filter(Boolean).map((line) => JSON.parse(line));
}

/** Judges a task by the state that its servers are in, and by the model's answer. */
export async function judge(place: Place, id: string, answer: string): Promise<Result> {
  const state: State = JSON.parse(await Deno.readTextFile(place.stateFile));
  const exchanges = await readTranscript(place);
  const task = TASKS.find((task) => task.id === id);
  if (!task) throw new Error(`Unknown task "${id}": use ${TASKS.map(({ id }) => id).join(", ")}`);
  const solved = task.judge(state, answer);
  return {
    task: id,
    solved,
    first: solved && exchanges.every(({ failed }) => !failed),
    calls: exchanges.length,
    characters: exchanges.reduce((sum, { text }) => sum + text.length, 0),
  };
}
