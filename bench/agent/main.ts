// deno-lint-ignore-file no-console -- a script for maintainers
/** Measures how well a language model solves tasks through Toolscript.
 *
 * `main.ts all --agent COMMAND` gives each task to a new process of an agent that has a shell: the
 * prompt on stdin, the answer on stdout. The prompt holds the line that sends a program to Toolscript.
 * All tasks share one project: on the second day Toolscript has seen results of its tools.
 * `open TASK FOLDER`, `call FOLDER` and `judge TASK FOLDER ANSWER` are its three steps by hand.
 * `--main FILE` measures another checkout. */

import { parseArgs } from "node:util";
import { fileURLToPath } from "node:url";
import { percentile } from "../measure.ts";
import { commandOf, judge, makePlace, type Place, placeIn, type Result } from "./place.ts";
import { openSession } from "./session.ts";
import { TASKS } from "./tasks.ts";

const SELF = fileURLToPath(import.meta.url);
const { values, positionals } = parseArgs({
  options: {
    agent: { type: "string" },
    main: { type: "string", default: fileURLToPath(new URL("../../main.ts", import.meta.url)) },
    days: { type: "string", default: "2" },
    json: { type: "boolean", default: false },
  },
  allowPositionals: true,
});
const [step = "", ...words] = positionals;

switch (step) {
  case "open": {
    const [id = "", folder = ""] = words;
    console.log(await open(id, await makePlace(folder)));
    break;
  }
  case "call": {
    await using session = await openSession(placeIn(words[0] ?? ""), values.main);
    console.log(await session.run(await new Response(Deno.stdin.readable).text()));
    break;
  }
  case "judge": {
    const [id = "", folder = "", answer = ""] = words;
    console.log(JSON.stringify(await close(id, placeIn(folder), answer)));
    break;
  }
  case "all":
    await measureAll(values.agent ?? fail("Name the agent: --agent COMMAND"));
    break;
  default:
    fail(
      "Usage: main.ts all --agent COMMAND | open TASK FOLDER | call FOLDER | judge TASK FOLDER ANSWER",
    );
}

/** Starts the servers of the place; returns the text that a model begins with. */
async function open(id: string, place: Place): Promise<string> {
  const task = TASKS.find((task) => task.id === id) ?? fail(`Unknown task "${id}"`);
  await toolscript(place, "gateway", "start", "--detach");
  await using session = await openSession(place, values.main);
  return `${session.greeting}\n\nTask: ${task.prompt}`;
}

async function close(id: string, place: Place, answer: string): Promise<Result> {
  await toolscript(place, "gateway", "stop", "--quiet");
  return await judge(place, id, answer);
}

async function toolscript(place: Place, ...words: readonly string[]): Promise<void> {
  const { command, ...options } = commandOf(place, values.main, ...words);
  const { success, stderr } = await new Deno.Command(command, options).output();
  if (!success) fail(new TextDecoder().decode(stderr));
}

async function measureAll(agent: string): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "toolscript-agent-" });
  const days: Result[][] = [];
  try {
    for (let day = 1; day <= Number(values.days); day++) {
      const results: Result[] = [];
      for (const { id } of TASKS) results.push(await measure(id, folder, agent));
      days.push(results);
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
  if (values.json) console.log(JSON.stringify(days));
  else for (const [at, results] of days.entries()) report(at + 1, results);
}

async function measure(id: string, folder: string, agent: string): Promise<Result> {
  const place = await makePlace(folder);
  const line = [Deno.execPath(), "run", "-A", SELF, "call", folder, "--main", values.main];
  const way = `To call run, give the program to this line on its stdin: ${line.join(" ")}`;
  const prompt = `${await open(id, place)}\n\n${way}\nEnd with your answer in one line.\n`;
  const answer = await ask(agent, prompt, place);
  const result = await close(id, place, answer);
  console.error(`${result.solved ? "solved" : "failed"}  ${id}`);
  return result;
}

async function ask(agent: string, prompt: string, { project }: Place): Promise<string> {
  const child = new Deno.Command("sh", {
    args: ["-c", agent],
    cwd: project,
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const writer = child.stdin.getWriter();
  // An agent may end before it has read the prompt.
  await writer.write(new TextEncoder().encode(prompt)).catch(() => {});
  await writer.close().catch(() => {});
  return new TextDecoder().decode((await child.output()).stdout);
}

function report(day: number, results: readonly Result[]): void {
  console.log(`Day ${day}`);
  console.log(
    `Solved            ${results.filter(({ solved }) => solved).length} of ${results.length}`,
  );
  console.log(`Without a failure ${results.filter(({ first }) => first).length}`);
  console.log(`Calls, median     ${percentile(results.map(({ calls }) => calls), 0.5)}`);
  console.log(`Characters read   ${percentile(results.map(({ characters }) => characters), 0.5)}`);
}

function fail(message: string): never {
  console.error(message);
  Deno.exit(2);
}
