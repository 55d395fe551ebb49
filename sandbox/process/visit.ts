/** One request of a process below `/r/<secret>/`, from its headers to the last byte of its answer. */

import type { Budget } from "./budget.ts";
import type { ProcessSinks } from "./sinks.ts";
import type { Visit } from "../types.ts";
import { ByteBuffer } from "#base";

export interface VisitDeps extends Pick<ProcessSinks, "posted"> {
  readonly secret: string;
  readonly budget: Budget;
  /** Aborted when the process may make no further request. */
  readonly signal: AbortSignal;
  readonly module: (path: string) => ReturnType<ProcessSinks["module"]>;
}

const PIECE = 16_384;
/** Deno 2.9.6 follows the last source map that a module names, and prints lines of the files in it, without
 * a look at its permissions. An empty name is no map. */
const NO_SOURCE_MAP = "\n//# sourceMappingURL=\n";
const decoder = new TextDecoder();
const encoder = new TextEncoder();

/** Admits a request; undefined when too many are open. */
export function openVisit(deps: VisitDeps): Visit | undefined {
  const { secret, budget, signal, module, posted } = deps;
  if (!budget.reserve("requests", 1)) return undefined;
  const reserved = { sent: 0, unread: 0 };
  let isOpen = true;

  function reserve(bound: "sent" | "unread", bytes: number): boolean {
    if (!isOpen || !budget.reserve(bound, bytes)) return false;
    reserved[bound] += bytes;
    return true;
  }

  async function read(request: Request, limit: number): Promise<Uint8Array | undefined> {
    const length = declaredLength(request) ?? limit;
    if (length > limit) return undefined;
    if (!reserve("sent", length)) throw new DOMException("The run has ended", "AbortError");
    return await readBounded(request, { limit: length, signal });
  }

  function answer(text: string, headers: HeadersInit): Response {
    return send(encoder.encode(text), headers);
  }

  function send(bytes: Uint8Array<ArrayBuffer>, headers: HeadersInit): Response {
    if (!reserve("unread", bytes.length)) return new Response(null, { status: 429 });
    return new Response(streamOf(bytes, signal), { headers });
  }

  function answerModule(text: string, headers: HeadersInit, address?: string): Response {
    const bytes = encoder.encode(text + NO_SOURCE_MAP);
    const isWithin = budget.reserveModule(bytes.length, address);
    return isWithin ? send(bytes, headers) : new Response(null, { status: 429 });
  }

  function serveModule(path: string, { url }: Request): Response | undefined {
    const source = module(path);
    if (!source) return undefined;
    const type = source.transpile ? "typescript" : "javascript";
    return answerModule(source.text, { "content-type": `application/${type}` }, url);
  }

  return {
    secret,
    signal,
    read,
    answer,
    answerModule: (text, headers) => answerModule(text, headers),
    countMissing: () => void budget.reserveModule(0),
    async serve(path, request) {
      const [top = "", ...below] = path.split("/");
      if (top === "program") return serveModule(below.join("/"), request);
      const isEnd = request.method === "POST" && (path === "value" || path === "report");
      if (!isEnd) return undefined;
      const reading = posted(path, async (limit) => {
        const bytes = await read(request, limit);
        return bytes && decoder.decode(bytes);
      });
      if (!reading) return undefined;
      await reading;
      return Response.json(null);
    },
    [Symbol.dispose]() {
      if (!isOpen) return;
      isOpen = false;
      budget.release("requests", 1);
      budget.release("sent", reserved.sent);
      budget.release("unread", reserved.unread);
    },
  };
}

/** Streams an answer in pieces until `signal` is aborted. Deno 2.9.6 holds an answer in a single piece
 * in memory until the program reads it, and counts it as sent. */
function streamOf(bytes: Uint8Array, signal: AbortSignal): ReadableStream<Uint8Array> {
  let at = 0;
  let end = () => {};
  return new ReadableStream({
    start(controller) {
      end = () => controller.error(signal.reason);
      signal.addEventListener("abort", end);
    },
    pull(controller) {
      if (at < bytes.length) return controller.enqueue(bytes.subarray(at, at += PIECE));
      signal.removeEventListener("abort", end);
      controller.close();
    },
    cancel: () => signal.removeEventListener("abort", end),
  }, { highWaterMark: 0 });
}

/** Length from the headers, where they have one. */
function declaredLength({ headers }: Request): number | undefined {
  const length = headers.get("content-length") ?? "";
  return /^\d{1,15}$/.test(length) ? Number(length) : undefined;
}

interface ReadBodyOptions {
  /** Bytes that the body may have. */
  readonly limit: number;
  /** Ends the reading, and the connection with it. */
  readonly signal: AbortSignal;
}

/** The bytes of the body; undefined when it has more than `limit`. Throws when `signal` is aborted. */
async function readBounded(
  request: Request,
  { limit, signal }: ReadBodyOptions,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const buffer = new ByteBuffer();
  if (request.body === null) return buffer.bytes();
  const reader = request.body.getReader();
  const stop = () => void reader.cancel().catch(() => {}); // the connection may be gone already
  signal.addEventListener("abort", stop);
  try {
    signal.throwIfAborted();
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      buffer.add(next.value);
      if (buffer.size > limit) return void stop();
    }
    signal.throwIfAborted();
    return buffer.bytes();
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
