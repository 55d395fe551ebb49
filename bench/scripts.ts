/** The toolscripts that are measured. `turn` makes each text a new one. */

import { FILES } from "./gateway.ts";

type Script = (turn: number) => string;

const IMPORT = 'import { tools } from "toolscript";';

export const sum: Script = (turn) => `1 + 1 // ${turn}`;

export const oneCall: Script = (turn) =>
  `${IMPORT}
const message: string = "turn ${turn}";
await tools.everything.echo({ message });`;

export const tenInARow: Script = (turn) =>
  `${IMPORT}
const echoes: string[] = [];
for (let n = 0; n < 10; n++) {
  echoes.push(String(await tools.everything.echo({ message: \`\${n} of turn ${turn}\` })));
}
echoes;`;

export const tenAtOnce: Script = (turn) =>
  `${IMPORT}
const numbers = Array.from({ length: 10 }, (_, n) => n);
await Promise.all(numbers.map((n) => tools.everything.echo({ message: \`\${n} of turn ${turn}\` })));`;

/** Lists a folder, then reads what is in it, file by file. */
export const chain = (folder: string): Script => (turn) =>
  `${IMPORT}
const folder = ${JSON.stringify(folder)};
const listing = await tools.filesystem.listDirectory({ path: folder }) as { content: string };
const names = listing.content.split("\\n").map((line) => line.replace("[FILE] ", ""));
let length = ${turn} * 0;
for (const name of names) {
  const file = await tools.filesystem.readTextFile({ path: \`\${folder}/\${name}\` }) as { content: string };
  length += file.content.length;
}
if (names.length !== ${FILES}) throw new Error(\`\${names.length} files\`);
length;`;

/** Makes calls for a time; its value is their number per second. */
export const callsPerSecond = (inFlight: number, ms: number): Script => (turn) =>
  `${IMPORT}
let made = 0;
const since = performance.now();
async function work() {
  while (performance.now() - since < ${ms}) {
    await tools.everything.echo({ message: \`call \${made} of turn ${turn}\` });
    made++;
  }
}
await Promise.all(Array.from({ length: ${inFlight} }, work));
made / (performance.now() - since) * 1000;`;
