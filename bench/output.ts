/** Output of the benchmark: results on stdout, progress on a terminal's stderr. */

const encoder = new TextEncoder();

/** Writes a line of the result. */
export function print(line: string): void {
  write(Deno.stdout, `${line}\n`);
}

/** Shows the current step in place of the one before; nothing in a pipe. */
export function progress(text: string): void {
  if (Deno.stderr.isTerminal()) write(Deno.stderr, `\r\x1b[K${text}`);
}

function write(stream: typeof Deno.stdout, text: string): void {
  const bytes = encoder.encode(text);
  for (let sent = 0; sent < bytes.length;) sent += stream.writeSync(bytes.subarray(sent));
}
