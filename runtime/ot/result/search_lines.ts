/** Searches lines in a worker, so that no pattern and no path can hold up the event loop. */

import { messageOf } from "#base";
import { PackError } from "#packs";
import { clipText } from "../../reply/lines.ts";
import {
  type LinePage,
  LONGEST_PATTERN,
  type SearchAnswer,
  type SearchRequest,
} from "./search_types.ts";

const TIME_LIMIT_MS = 1_000;
/** Time limit of loading the worker. */
const LOAD_MS = 4_000;

export interface SearchOptions {
  readonly signal?: AbortSignal;
}

/** The lines that are asked for. Throws `PackError`. */
export async function searchLines(
  request: SearchRequest,
  { signal }: SearchOptions,
): Promise<LinePage> {
  const { search, path } = request;
  const label = search ?? path ?? "";
  if (search !== undefined && !request.fuzzy) check(search);
  const worker = new Worker(import.meta.resolve("./search_worker.ts"), {
    type: "module",
    name: "line search",
  });
  const { promise, resolve, reject } = Promise.withResolvers<LinePage>();
  const end = () => reject(failed(label, "the run has ended", "cancelled"));
  let timer = setTimeout(() => reject(tooSlow(label)), LOAD_MS);
  worker.onmessage = ({ data }: MessageEvent<SearchAnswer | "ready">) => {
    if (data === "ready") {
      clearTimeout(timer);
      timer = setTimeout(() => reject(tooSlow(label)), TIME_LIMIT_MS);
      worker.postMessage(request, [request.bytes.buffer]);
    } else if (data.kind === "found") resolve(data.page);
    else reject(refusedPath(path ?? "", data.reason));
  };
  worker.onerror = (event) => {
    event.preventDefault();
    reject(failed(label, "the search failed", "internal"));
  };
  signal?.addEventListener("abort", end, { once: true });
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", end);
    worker.terminate();
  }
}

function check(search: string): void {
  if (search.length > LONGEST_PATTERN) {
    const most = LONGEST_PATTERN.toLocaleString("en");
    throw failed(search, `it has over ${most} characters: search for less`, "invalid_arguments");
  }
  try {
    new RegExp(search);
  } catch (error) {
    const reason = messageOf(error);
    throw failed(search, `${reason}: escape it, or use fuzzy=true`, "invalid_arguments");
  }
}

function refusedPath(path: string, reason: string): PackError {
  const label = clipText(path, 100);
  return new PackError("invalid_arguments", `Cannot follow the path "${label}": ${reason}`, {
    tool: "ot.result",
  });
}

function tooSlow(search: string): PackError {
  const limit = `it took longer than ${TIME_LIMIT_MS / 1_000} s`;
  return failed(search, `${limit}: use a simpler pattern`, "timeout");
}

function failed(
  search: string,
  why: string,
  code: "cancelled" | "internal" | "invalid_arguments" | "timeout",
): PackError {
  const message = `Cannot search for "${clipText(search, 100)}": ${why}`;
  return new PackError(code, message, { tool: "ot.result" });
}
