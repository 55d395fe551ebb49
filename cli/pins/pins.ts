/** `toolscript pins`: tools that changed since they were first seen, with the difference. */

import { type JsonValue, setOff, setOffRest, visibleLine } from "#base";
import { differenceOf } from "#base/difference";
import { keepShown, type PinChange, readPinChanges } from "#packs";
import { complete, readConfig } from "../config.ts";
import type { Context } from "../context.ts";
import { rowOf } from "../terminal/sink.ts";

/** Prints the changes; exit code 0 with and without any. */
export async function pins(context: Context): Promise<number> {
  const { io: { stdout }, options, print } = context;
  const config = await complete(context, await readConfig(context));
  const { changes, damaged } = readPinChanges({ ...config, mode: config.security.pin });
  if (damaged !== undefined) {
    await print.warn(`${damaged} is damaged: every tool counts as changed until it is accepted`);
  }
  if (options.json === true) await print.json(changes);
  else if (config.security.pin === "off") {
    await print.say("Nothing is compared: security.pin is off");
  } else if (changes.length === 0) await print.say("No tool has changed since it was first seen");
  else {
    for (const change of changes) await print.data(changeText(change, rowOf(stdout)));
    const servers = [...new Set(changes.map(({ tool }) => tool.split(".")[0]))];
    await print.say(`Accept with: toolscript pins accept ${servers.join(" ")}`);
  }
  keepShown(config.cacheDir, changes);
  return 0;
}

/** The whole change as a unified diff, in rows that begin with the sign of their line. All of it is
 * foreign text. */
function changeText({ tool, change, old, new: now }: PinChange, columns: number): string {
  const lines = ["--- first seen", "+++ now", ...differenceOf(text(old), text(now))];
  const rowsOf = (line: string) =>
    setOff([visibleLine(line.slice(1))], { mark: `  ${line.slice(0, 1)}`, columns });
  return [...setOffRest(visibleLine(`${tool}: ${change}`), columns), ...lines.flatMap(rowsOf)]
    .join("\n");
}

function text(value: JsonValue): string {
  if (value === null) return "";
  return `${typeof value === "string" ? value : JSON.stringify(value, null, 2)}\n`;
}
