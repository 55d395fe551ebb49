/** The person at the terminal of this program; its stdin may be a pipe. */

export interface Person {
  /** Reads the next line; null at the end of input. */
  readLine(): Promise<string | null>;
}

const TERMINAL = Deno.build.os === "windows" ? "CONIN$" : "/dev/tty";
const MAX_LINE = 1_000;

/** Opens the terminal; undefined without a terminal. */
export function openPerson(): Person | undefined {
  try {
    const file = Deno.openSync(TERMINAL, { read: true });
    return createPerson(file);
  } catch {
    // Started by a program, without a terminal.
    return undefined;
  }
}

function createPerson(file: Pick<Deno.FsFile, "read">): Person {
  const decoder = new TextDecoder();
  const bytes = new Uint8Array(1_024);
  let text = "";
  let pending: Promise<string | null> | undefined;

  async function next(): Promise<string | null> {
    for (;;) {
      const end = text.indexOf("\n");
      if (end !== -1) {
        const line = text.slice(0, end);
        text = text.slice(end + 1);
        return line;
      }
      const count = await file.read(bytes);
      if (count === null) return null;
      text = (text + decoder.decode(bytes.subarray(0, count), { stream: true })).slice(-MAX_LINE);
    }
  }

  return {
    // A pending read is reused: its line answers the next question.
    readLine: () => pending ??= next().finally(() => pending = undefined),
  };
}
