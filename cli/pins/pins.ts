/** `toolscript pins`: tools that changed since they were first seen, with the difference. */

import type { JsonValue } from "#base";
import { differenceOf } from "#base/difference";
import { type PinChange, readPinChanges } from "#packs";
import { complete, readConfig } from "../config.ts";
import type { Context } from "../context.ts";
import { escapeControls } from "../terminal/escapes.ts";

const MOST_LINES = 200;

/** Prints the changes; exit code 0 with and without any. */
export async function pins(context: Context): Promise<number> {
  const { options, print } = context;
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
    for (const change of changes) await print.data(changeText(change));
    const servers = [...new Set(changes.map(({ tool }) => tool.split(".")[0]))];
    await print.say(`Accept with: toolscript pins accept ${servers.join(" ")}`);
  }
  return 0;
}

/** The change as a unified diff. All of it is foreign text. */
function changeText({ tool, change, old, new: now }: PinChange): string {
  const lines = ["--- first seen", "+++ now", ...differenceOf(text(old), text(now))];
  const more = lines.length - MOST_LINES;
  return [
    escapeControls(`${tool}: ${change}`).replaceAll("\n", "\\n"),
    ...lines.slice(0, MOST_LINES).map((line) => `  ${escapeControls(line)}`),
    ...(more > 0 ? [`  … ${more} more lines`] : []),
  ].join("\n");
}

function text(value: JsonValue): string {
  if (value === null) return "";
  return `${typeof value === "string" ? value : JSON.stringify(value, null, 2)}\n`;
}
