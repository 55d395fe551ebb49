/** Unified diffs of changed texts. */

const MAX_CHANGED = 64 * 1024;
const MAX_TEXT = 8 * 1024 * 1024;
const TIME_MS = 100;
const CONTEXT = 3;

/** Returns the diff, or null for one that is too long to read. Compares only the part that changed. */
export async function diffOf(
  path: string,
  before: string,
  after: string,
): Promise<string | null> {
  if (before === after) return "";
  if (before.length + after.length > MAX_TEXT) return null;
  const { start, oldEnd, newEnd } = changed(before, after);
  if (oldEnd - start > MAX_CHANGED || newEnd - start > MAX_CHANGED) return null;
  const { structuredPatch, formatPatch } = await import("diff");
  const patch = structuredPatch(
    `a/${path}`,
    `b/${path}`,
    before.slice(start, oldEnd),
    after.slice(start, newEnd),
    undefined,
    undefined,
    { context: CONTEXT, timeout: TIME_MS },
  );
  if (!patch) return null;
  const above = countLines(before, start);
  for (const hunk of patch.hunks) {
    hunk.oldStart += above;
    hunk.newStart += above;
  }
  return formatPatch(patch).replace(/^={10,}\n/, "");
}

/** Range from the first to the last line that differs, with the lines around it. */
function changed(before: string, after: string) {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before.charCodeAt(start) === after.charCodeAt(start)) start++;
  let tail = 0;
  const from = (text: string) => text.charCodeAt(text.length - 1 - tail);
  while (tail < shorter - start && from(before) === from(after)) tail++;
  for (let line = 0; line <= CONTEXT; line++) {
    start = lineStart(before, line === 0 ? start : start - 1);
  }
  let oldEnd = before.length - tail;
  for (let line = 0; line <= CONTEXT; line++) oldEnd = lineEnd(before, oldEnd);
  return { start, oldEnd, newEnd: after.length - (before.length - oldEnd) };
}

function lineStart(text: string, at: number): number {
  return at <= 0 ? 0 : text.lastIndexOf("\n", at - 1) + 1;
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end + 1;
}

function countLines(text: string, end: number): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0 && at < end; at = text.indexOf("\n", at + 1)) count++;
  return count;
}
