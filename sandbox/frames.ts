/** Reads V8 stack text for the program's own frames. */

import type { Frame } from "./outcome.ts";

const MOST = 50;

/** The frames of `stack` whose module lies below `base` (`…/program/`), innermost first. */
export function programFrames(stack: string, base: string): Frame[] {
  const frames: Frame[] = [];
  for (const line of stack.split("\n")) {
    const frame = parseFrame(line, base);
    if (frame) frames.push(frame);
    if (frames.length === MOST) break;
  }
  return frames;
}

/** `    at async name (http://…/program/main.ts:3:5)`, or without a name, or `… at http://…:3:5`. */
function parseFrame(line: string, base: string): Frame | undefined {
  const start = line.indexOf(base);
  if (start === -1) return undefined;
  const place = /^([^\s?#()]+):(\d+):(\d+)\)?$/.exec(line.slice(start + base.length).trimEnd());
  if (!place?.[1]) return undefined;
  const frame = { file: place[1], line: Number(place[2]), column: Number(place[3]) };
  const name = /^\s*at (?:async )?(.+) \($/.exec(line.slice(0, start))?.[1];
  return name === undefined ? frame : { ...frame, name };
}
