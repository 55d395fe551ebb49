// deno-lint-ignore-file no-console -- printed text is redirected here
/** JSON-RPC 2.0 over stdin and stdout of this process, one value a line, out of the pack's reach. */

export interface Message {
  readonly id?: string;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: unknown;
  readonly error?: { readonly message: string; readonly data?: { readonly code?: string } };
}

export interface Pipe {
  messages(): AsyncGenerator<Message>;
  send(message: Record<string, unknown>): void;
  /** Resolves when all messages are written. */
  flushed(): Promise<void>;
}

/** Takes stdin and stdout for the protocol. Printed text then goes to stderr, and stdin reads as
 * empty. */
export function takePipe(): Pipe {
  const input = Deno.stdin.readable;
  const { writable } = Deno.stdout;
  const writer = writable.getWriter();
  const encoder = new TextEncoder();
  let last: Promise<void> = Promise.resolve();
  divert();
  return {
    messages: () => readMessages(input),
    send(message) {
      // The line break ends a line that the code may have printed by another way.
      const line = `\n${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`;
      last = writer.write(encoder.encode(line)).catch(() => Deno.exit(0)); // the gateway is gone
    },
    flushed: () => last,
  };
}

async function* readMessages(input: ReadableStream<Uint8Array>): AsyncGenerator<Message> {
  const decoder = new TextDecoder();
  let parts: string[] = [];
  for await (const chunk of input) {
    const lines = decoder.decode(chunk, { stream: true }).split("\n");
    for (const line of lines.slice(0, -1)) {
      const text = parts.join("") + line;
      parts = [];
      if (text !== "") yield JSON.parse(text);
    }
    parts.push(lines.at(-1) ?? "");
  }
}

function divert(): void {
  const { stderr } = Deno;
  for (const name of ["log", "info", "debug", "dir", "table", "group"] as const) {
    console[name] = console.error;
  }
  const closed = () => new ReadableStream<Uint8Array>({ start: (stream) => stream.close() });
  Object.defineProperties(Deno.stdout, {
    write: { value: (data: Uint8Array) => stderr.write(data) },
    writeSync: { value: (data: Uint8Array) => stderr.writeSync(data) },
    writable: { get: () => stderr.writable },
  });
  Object.defineProperties(Deno.stdin, {
    read: { value: () => Promise.resolve(null) },
    readSync: { value: () => null },
    readable: { get: closed },
  });
}
