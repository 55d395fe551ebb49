/** Reads V8 stack text for the program's own frames. */

import type { Frame } from "./outcome.ts";

const MOST = 50;
const PLACE = /^([^\s?#()]+?)(, <anonymous>)?:(\d+):(\d+)\)?$/;

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

/** `    at async name (http://…/program/main.ts:3:5)`, or without a name, or `… at http://…:3:5`. In
 * a program that is a function it is `at name (http://…/program/main.ts, <anonymous>:3:5)`, where a
 * function without a name is called `eval`. */
function parseFrame(line: string, base: string): Frame | undefined {
  const start = line.indexOf(base);
  if (start === -1) return undefined;
  const place = PLACE.exec(line.slice(start + base.length).trimEnd());
  if (!place?.[1]) return undefined;
  const frame = { file: place[1], line: Number(place[3]), column: Number(place[4]) };
  const name = /^\s*at (?:async )?(.+) \($/.exec(line.slice(0, start))?.[1];
  const isNameless = name === undefined || (place[2] !== undefined && name === "eval");
  return isNameless ? frame : { ...frame, name };
}
