/** `run` over MCP stdio, beside the same work by direct MCP calls to the same servers. */

import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { join } from "node:path";
import {
  stdioCommand,
  stdioEnvironment,
  textOf as plainText,
} from "../tests/gateway/mcp/clients.ts";
import { pinnedCommand } from "../tests/support/servers.ts";
import { FILES, type Place } from "./gateway.ts";
import { repeat, summarize, type Summary } from "./measure.ts";
import type { Row } from "./table.ts";

const RUNS = 60;
const WARM_UP = 10;
/** Until a process that replaces the one used last is warm; an agent thinks for longer. */
const REFILL_MS = 200;
const REST_MS = 50;
/** Runs that start together, as those of an agent that reads four files. */
const SEVERAL = 4;
/** Word that some of the files hold. */
const WORD = "note 1";

interface Work {
  readonly what: string;
  /** The command; `turn` makes each text a new one. */
  readonly command: (turn: number) => string;
  /** The same by direct calls, where there is something to call. */
  readonly direct?: (turn: number) => Promise<unknown>;
}

/** Starts `toolscript mcp` in a project, as a client would, and the project's servers once more. */
export async function measureMcp({ home, project }: Place): Promise<Row[]> {
  const files = join(project, "files");
  await using gateway = await connect({
    ...stdioCommand(),
    cwd: project,
    env: stdioEnvironment({ home }),
  });
  await using everything = await connect({ ...pinnedCommand("everything"), cwd: project });
  await using filesystem = await connect({ ...pinnedCommand("filesystem", [files]), cwd: project });
  const rows: Row[] = [];
  const several = async (turn: number) => {
    for (let n = 0; n < SEVERAL; n++) {
      await gateway.call("run", { command: `1 + 1 // ${turn} ${n}` });
    }
  };
  for (const work of plan({ everything, filesystem, files })) {
    const run = (turn: number) => gateway.call("run", { command: work.command(turn) });
    rows.push({ what: work.what, unit: "ms", ...await measure(run, REFILL_MS) });
    if (!work.direct) continue;
    const direct = await measure(work.direct, REST_MS);
    rows.push({ what: "  by direct calls", unit: "ms", ...direct });
  }
  const what = `${SEVERAL} runs of 1+1, one after another`;
  rows.push({ what, unit: "ms", ...await measure(several, 2 * REFILL_MS) });
  return rows;
}

interface Connected extends AsyncDisposable {
  /** The text of a tool's result; throws when it failed. */
  call(name: string, args: Record<string, unknown>): Promise<string>;
}

type Command = ConstructorParameters<typeof StdioClientTransport>[0];

/** The official client as it is, with its own choice of protocol. */
async function connect(command: Command): Promise<Connected> {
  const client = new Client({ name: "bench", version: "1" });
  await client.connect(new StdioClientTransport({ ...command, stderr: "ignore" }));
  await client.listTools();
  return {
    async call(name, args) {
      const result = await client.callTool({ name, arguments: args });
      const text = plainText(result);
      if (result.isError === true) throw new Error(`Cannot measure: "${name}" failed: ${text}`);
      return text;
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}

async function measure(
  work: (turn: number) => Promise<unknown>,
  pauseMs: number,
): Promise<Summary> {
  const times = await repeat(async (turn) => {
    const since = performance.now();
    await work(turn);
    return performance.now() - since;
  }, { runs: RUNS, warmUp: WARM_UP, pauseMs });
  return summarize(times);
}

interface PlanOptions {
  readonly everything: Connected;
  readonly filesystem: Connected;
  readonly files: string;
}

function plan({ everything, filesystem, files }: PlanOptions): readonly Work[] {
  const echo = (message: string) => everything.call("echo", { message });
  const numbers = Array.from({ length: 10 }, (_, n) => n);
  return [
    { what: "1+1", command: (turn) => `1 + 1 // ${turn}` },
    { what: "1+1, seen before", command: () => "1 + 1" },
    {
      what: "one call",
      command: (turn) => `everything.echo(message="turn ${turn}")`,
      direct: (turn) => echo(`turn ${turn}`),
    },
    {
      what: "ten calls in a row",
      command: tenInARow,
      async direct(turn) {
        for (const n of numbers) await echo(`${n} of turn ${turn}`);
      },
    },
    {
      what: "ten calls at once",
      command: tenAtOnce,
      direct: (turn) => Promise.all(numbers.map((n) => echo(`${n} of turn ${turn}`))),
    },
    {
      what: "chain of 51 calls, read at once",
      command: (turn) => chain(files, turn, AT_ONCE),
      direct: () => directChain(filesystem, files, atOnce),
    },
    {
      what: "chain of 51 calls, read in a row",
      command: (turn) => chain(files, turn, IN_A_ROW),
      direct: () => directChain(filesystem, files, inARow),
    },
  ];
}

const tenInARow = (turn: number) =>
  `const echoes: string[] = [];
for (let n = 0; n < 10; n++) {
  echoes.push(String(everything.echo(message=\`\${n} of turn ${turn}\`)));
}
echoes`;

const tenAtOnce = (turn: number) =>
  `const numbers = Array.from({ length: 10 }, (_, n) => n);
await Promise.all(numbers.map((n) => everything.echo(message=\`\${n} of turn ${turn}\`)))`;

/** Lists a folder, reads what is in it, and names those that hold a word. */
const chain = (folder: string, turn: number, read: string) =>
  `// ${turn}
const folder = ${JSON.stringify(folder)};
const listing = filesystem.list_directory(path=folder);
const names = listing.content.split("\\n").map((line) => line.replace("[FILE] ", ""));
if (names.length !== ${FILES}) throw new Error(\`\${names.length} files\`);
${read}
names.filter((_, n) => texts[n]?.includes(${JSON.stringify(WORD)}))`;

const AT_ONCE =
  `const files = await Promise.all(names.map((name) => filesystem.read_text_file(path=\`\${folder}/\${name}\`)));
const texts = files.map((file) => file.content);`;

const IN_A_ROW = `const texts: string[] = [];
for (const name of names) {
  const file = filesystem.read_text_file(path=\`\${folder}/\${name}\`);
  texts.push(file.content);
}`;

type Read = (name: string) => Promise<string>;

const atOnce = (names: readonly string[], read: Read) => Promise.all(names.map(read));

async function inARow(names: readonly string[], read: Read): Promise<readonly string[]> {
  const texts: string[] = [];
  for (const name of names) texts.push(await read(name));
  return texts;
}

async function directChain(
  filesystem: Connected,
  folder: string,
  readAll: typeof inARow,
): Promise<readonly string[]> {
  const listing = await filesystem.call("list_directory", { path: folder });
  const names = listing.split("\n").map((line) => line.replace("[FILE] ", ""));
  if (names.length !== FILES) throw new Error(`Cannot measure: ${names.length} files`);
  const read: Read = (name) => filesystem.call("read_text_file", { path: join(folder, name) });
  const texts = await readAll(names, read);
  return names.filter((_, n) => texts[n]?.includes(WORD));
}
