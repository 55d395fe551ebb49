/** Path of a run, `/r/<secret>/`: its modules, its calls, its end. Requests below it are written by
 * the program and count against the budget of the run. */

import type { Catalog, Runner } from "#runtime";
import type { Visit } from "#sandbox";
import { callText, decodeName, readRetry } from "../answer_call.ts";
import { parseArguments, requireJson, tooLarge } from "../body.ts";
import { HttpError, isReadMethod, wrongMethod } from "../problem.ts";
import { runtimeFile } from "../runtime_file.ts";

export interface RunPathDeps {
  readonly catalog: Catalog;
  readonly runner: Runner;
  readonly limits: () => { readonly callBytes: number };
}

export interface RunPathOptions {
  /** Below `/r/<secret>/`. */
  readonly path: string;
  /** Missing where no running run has the secret. */
  readonly visit: Visit | undefined;
}

export type RunPath = (request: Request, options: RunPathOptions) => Promise<Response>;

const decoder = new TextDecoder();

/** Builds the handler below the path of a run. */
export function createRunPath(deps: RunPathDeps): RunPath {
  const { catalog, runner } = deps;

  /** Serves whole modules, which are cached; a filter would let a program make the gateway work. */
  function runtime(request: Request, path: string, visit: Visit): Response {
    // The URL in the import map of the process.
    const isLoaded = path === "tools.ts" && new URL(request.url).searchParams.has("_t");
    const name = isLoaded ? "tools.js" : path;
    const { text, headers } = runtimeFile(name, catalog.file(name));
    if (!isReadMethod(request.method)) throw wrongMethod(request.method, ["GET"]);
    return visit.answerModule(text, headers);
  }

  async function call(request: Request, name: string, visit: Visit): Promise<Response> {
    if (request.method !== "POST") throw wrongMethod(request.method, ["POST"]);
    const signal = AbortSignal.any([request.signal, visit.signal]);
    const retry = readRetry(new URL(request.url).searchParams);
    const call = { wire: decodeName(name), args: read, retry };
    const result = await runner.call(visit.secret, call, signal);
    return visit.answer(await callText(result), { "content-type": "application/json" });

    async function read(): Promise<() => unknown> {
      requireJson(request);
      const { callBytes } = deps.limits();
      const bytes = await visit.read(request, callBytes);
      if (!bytes) throw tooLarge(callBytes);
      return () => parseArguments(decoder.decode(bytes), callBytes);
    }
  }

  async function answer(
    request: Request,
    path: string,
    visit: Visit,
  ): Promise<Response | undefined> {
    try {
      if (path.startsWith("runtime/")) return runtime(request, path.slice(8), visit);
      if (path.startsWith("tools/")) return await call(request, path.slice(6), visit);
      return await visit.serve(path, request);
    } catch (error) {
      // Deno 2.9.6 keeps some kilobytes for each request whose signal is read, until its connection
      // ends: refusals, of which a program can cause any number, do without.
      if (error instanceof HttpError) {
        if (error.code === "not_found" && isReadMethod(request.method)) visit.countMissing();
        throw error;
      }
      if (visit.signal.aborted || request.signal.aborted) return undefined;
      throw error;
    }
  }

  return async (request, { path, visit }) => {
    const response = visit && await answer(request, path, visit);
    if (response) return response;
    if (isReadMethod(request.method)) visit?.countMissing();
    throw new HttpError("not_found", "No such run: it has ended or never existed");
  };
}
