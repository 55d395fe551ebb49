/** The person at the terminal that started this program, whatever its stdin is. */

export interface Person {
  /** Their next line; null when there is none to come. */
  readLine(): Promise<string | null>;
}

const TERMINAL = Deno.build.os === "windows" ? "CONIN$" : "/dev/tty";
const MAX_LINE = 1_000;

/** Opens the terminal; undefined where there is none. */
export function openPerson(): Person | undefined {
  try {
    const file = Deno.openSync(TERMINAL, { read: true });
    return createPerson(file);
  } catch {
    // Started by a program: nobody is there to be asked.
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
    // A line that nobody waited for any more is still the next one.
    readLine: () => pending ??= next().finally(() => pending = undefined),
  };
}
