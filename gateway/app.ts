/** The routes of the gateway, each with who may call it (INTERFACE, *Routes*). */

import { type Context, Hono } from "hono";
import { type Registry, sourceOf } from "#packs";
import type { Catalog, Confirmations, Finder, Runner } from "#runtime";
import type { Log, Sandbox } from "#sandbox";
import { callBody } from "./answer_call.ts";
import { parseJson, readBytes, readJson, requireJson } from "./body.ts";
import { callTool, CONFIRM_HEADER } from "./call_tool.ts";
import { clientOf } from "./client_name.ts";
import type { Guard } from "./guard.ts";
import type { McpHttp } from "./mcp/http_types.ts";
import { HttpError, problemResponse } from "./problem.ts";
import { createRunRoutes } from "./run_routes.ts";
import { search } from "./search.ts";
import { readiness, statusOf, type StatusSource } from "./status.ts";
import { traceOf } from "./trace_context.ts";

export interface AppDeps extends StatusSource {
  readonly registry: Registry;
  readonly finder: Finder;
  readonly catalog: Catalog;
  readonly runner: Runner;
  readonly sandbox: Sandbox;
  readonly mcp: McpHttp;
  readonly confirmations: Confirmations;
  readonly guard: Guard;
  readonly limits: { readonly bodyBytes: number; readonly callBytes: number };
  /** The folder that the gateway is for. */
  readonly project: string;
  /** How long a question to a client waits for its answer. */
  readonly askTimeoutMs: number;
  readonly log: Log;
  readonly newId: () => string;
}

type Handler = (context: Context) => Response | Promise<Response>;
type Methods = Readonly<Record<string, Handler>>;

/** Builds the Hono app. Everything it needs is given; it holds no state but pending inputs. */
export function createApp(deps: AppDeps): Hono {
  const { guard, log } = deps;
  const app = new Hono();
  const runs = createRunRoutes(deps);

  app.use(async (context, next) => {
    guard.checkOrigin(context.req.raw);
    await next();
  });
  app.onError((error) => problemResponse(error, log));

  function route(path: string, methods: Methods): void {
    app.all(path, (context) => {
      const method = context.req.method === "HEAD" ? "GET" : context.req.method;
      const handler = methods[method];
      if (handler) return handler(context);
      const allowed = Object.keys(methods).join(", ");
      throw new HttpError("bad_request", `Cannot ${method} here: allowed: ${allowed}`, {
        status: 405,
        headers: { allow: allowed },
      });
    });
  }

  route("/health", { GET: () => Response.json({ status: "ok", version: deps.version }) });
  route("/ready", { GET: () => readiness(deps.registry) });
  route("/status", { GET: () => Response.json(statusOf(deps)) });
  route("/r/:secret/*", { GET: ownRun, POST: ownRun });

  app.use((context, next) => {
    guard.checkToken(context.req.raw);
    return next();
  });
  route("/runtime/*", {
    GET: (context) => runtimeFile(deps.catalog, context, context.req.path.slice(9)),
  });
  route("/tools", { GET: () => listTools(deps.registry) });
  route("/search", { GET: (context) => search(deps, new URL(context.req.url).searchParams) });
  route("/tools/:name", { POST: (context) => call(context) });
  route("/mcp", { GET: mcp, POST: mcp, DELETE: mcp });
  route("/run", { POST: (context) => runs.run(context.req.raw) });
  route("/confirm/:id", {
    POST: (context) => runs.confirm(param(context, "id"), context.req.raw),
  });
  route("/elicit/:id", {
    POST: (context) => runs.elicit(param(context, "id"), context.req.raw),
  });
  route("/stdin/:id", { POST: (context) => runs.stdin(param(context, "id"), context.req.raw) });
  app.notFound((context) =>
    problemResponse(
      new HttpError("not_found", `Nothing is at "${context.req.path}": see docs for the routes`),
      log,
    )
  );
  return app;

  async function mcp(context: Context): Promise<Response> {
    const request = context.req.raw;
    if (request.method !== "POST") return await deps.mcp.handle(request, undefined);
    requireJson(request);
    const text = new TextDecoder().decode(await readBytes(request, deps.limits.bodyBytes));
    return await deps.mcp.handle(request, parseJson(text));
  }

  async function call(context: Context): Promise<Response> {
    const request = context.req.raw;
    requireJson(request);
    const args = await readJson(request, deps.limits.bodyBytes) ?? {};
    const confirm = context.req.header(CONFIRM_HEADER);
    const wire = param(context, "name");
    const called = await callTool(deps, {
      wire,
      args,
      confirm,
      signal: request.signal,
      client: clientOf(request),
      trace: traceOf(request),
    });
    return Response.json(callBody(called));
  }

  async function ownRun(context: Context): Promise<Response> {
    const request = context.req.raw;
    const secret = param(context, "secret");
    const path = context.req.path.slice(`/r/${secret}/`.length);
    if (deps.sandbox.owns(secret)) {
      if (path.startsWith("runtime/") && request.method === "GET") {
        // The address in the process's import map.
        const isLoaded = path === "runtime/tools.ts" && context.req.query("_t") !== undefined;
        return runtimeFile(deps.catalog, context, isLoaded ? "tools.js" : path.slice(8));
      }
      if (path.startsWith("tools/") && request.method === "POST") {
        requireJson(request);
        const args = await readJson(request, deps.limits.callBytes);
        const wire = decodeURIComponent(path.slice(6));
        const called = await deps.runner.call(secret, wire, args ?? {}, request.signal);
        return Response.json(callBody(called));
      }
      const served = await deps.sandbox.serve(secret, path, request);
      if (served) return served;
    }
    throw new HttpError("not_found", "Nothing is here: the run has ended, or never was");
  }
}

function param(context: Context, name: string): string {
  return context.req.param(name) ?? "";
}

/** Every tool, once all are known or cannot be had. */
async function listTools(registry: Registry): Promise<Response> {
  await registry.settle(null);
  return Response.json(
    registry.entries().map((entry) => ({
      name: `${entry.pack}.${entry.tool}`,
      server: entry.pack,
      description: entry.spec.description,
      source: sourceOf(entry),
    })),
  );
}

function runtimeFile(catalog: Catalog, context: Context, path: string): Response {
  const filter = context.req.query("filter")?.split(",").map((item) => item.trim()).filter(Boolean);
  const text = catalog.file(path, filter);
  if (text === undefined) {
    throw new HttpError("not_found", `No module "${path}" is below /runtime/: import tools.ts`);
  }
  return new Response(text, {
    headers: {
      "content-type": `application/${path.endsWith(".js") ? "javascript" : "typescript"}`,
      "cache-control": "no-store",
    },
  });
}
