/** Routes of the gateway: those before the token check are open, those after it need the token. */

import { type Context, Hono } from "hono";
import type { Log } from "#base";
import { type Pack, type Registry, sourceOf } from "#packs";
import type { Catalog, Confirmations, Finder, Inbox, Runner } from "#runtime";
import type { Sandbox, Visit } from "#sandbox";
import type { Attachments } from "./attachments.ts";
import { callText, readRetry } from "./answer_call.ts";
import { parseJson, readBytes, readJson, requireJson } from "./body.ts";
import { callTool, CONFIRM_HEADER } from "./call_tool.ts";
import { clientOf } from "./client_name.ts";
import type { Events } from "./events.ts";
import type { Guard } from "./guard.ts";
import type { McpHttp } from "./mcp/transport/http_types.ts";
import {
  createPageEntrance,
  PAGE_PATHS,
  type PageEntranceDeps,
  takesPage,
  wantsHtml,
} from "./page/entrance.ts";
import { HttpError, isReadMethod, problemResponse, wrongMethod } from "./problem.ts";
import { createRoutes, type Methods, param } from "./routes.ts";
import { createQuestionRoutes } from "./question_routes.ts";
import { createRunPath } from "./run/run_path.ts";
import { createRunRoutes } from "./run/run_routes.ts";
import { readFilter, runtimeFile } from "./runtime_file.ts";
import { search } from "./search_route.ts";
import { traceOf } from "./trace_context.ts";

export interface AppDeps extends StatusSource, PageEntranceDeps {
  readonly registry: Registry;
  readonly finder: Finder;
  readonly catalog: Catalog;
  readonly runner: Runner;
  readonly sandbox: Sandbox;
  readonly mcp: McpHttp;
  readonly events: Events;
  readonly attachments: Attachments;
  readonly confirmations: Confirmations;
  readonly inbox: Inbox;
  readonly guard: Guard;
  readonly limits: () => { readonly bodyBytes: number; readonly callBytes: number };
  /** Folder of the project that the gateway serves. */
  readonly project: string;
  /** Time limit for the answer to a question to a client. */
  readonly askTimeoutMs: () => number;
  readonly log: Log;
  readonly newId: () => string;
}

/** Data passed with a request: the visit of the run that sent it, if the path of a run was used; of one
 * without a token, if another user of this machine, or a program in the sandbox, sent it. */
export interface AppEnv {
  readonly Bindings: { readonly visit?: Visit; readonly isForeign?: () => Promise<boolean> };
}

/** Builds the Hono app. Its only state is the inputs and questions of runs that are pending. */
export function createApp(deps: AppDeps): Hono<AppEnv> {
  const { guard, log } = deps;
  const app = new Hono<AppEnv>();
  const route = createRoutes(app);
  const page = createPageEntrance(deps);
  const runs = createRunRoutes(deps);
  const runPath = createRunPath(deps);
  const questions = createQuestionRoutes(deps);

  app.use(async (context, next) => {
    guard.checkOrigin(context.req.raw);
    await next();
  });
  app.onError((error) => problemResponse(error, log));

  route("/health", { GET: () => Response.json({ status: "ok", version: deps.version }) });
  route("/ready", { GET: () => readiness(deps.registry) });
  route("/status", { GET: () => Response.json(statusOf(deps)) });
  app.all("/r/:secret/*", ({ req, env }) => {
    const path = req.path.slice(`/r/${req.param("secret")}/`.length);
    return runPath(req.raw, { path, visit: env.visit });
  });

  app.use(async (context, next) => {
    const refusal = await page.admit(context.req.raw, context.env);
    if (refusal) return refusal;
    guard.checkClient(context.req.raw, context.req.path);
    return await next();
  });
  for (const path of PAGE_PATHS) app.all(path, (context) => page.show(context.req.raw));
  route("/code", { POST: (context) => issueCode(context.req.raw) });
  app.all("/runtime/*", async (context) => {
    const path = context.req.path.slice("/runtime/".length);
    const module = await deps.catalog.filtered(path, readFilter(context.req.url));
    const { text, headers } = runtimeFile(path, module);
    if (!isReadMethod(context.req.method)) throw wrongMethod(context.req.method, ["GET"]);
    return new Response(text, { headers });
  });
  route("/tools", {
    GET: ({ req: { raw } }) => takesPage(raw) ? page.show(raw) : listTools(deps.registry),
  });
  route("/events", { GET: () => deps.events.open() });
  route("/attach", attachRoutes(deps));
  route("/stay", { POST: async () => Response.json(await deps.attachments.stay()) });
  route("/search", { GET: (context) => search(deps, new URL(context.req.url).searchParams) });
  route("/tools/:name", { POST: (context) => call(context) });
  route("/mcp", { GET: mcp, POST: mcp, DELETE: mcp });
  route("/run", { POST: (context) => runs.run(context.req.raw) });
  route("/confirm/:id", {
    POST: (context) => runs.confirm(param(context, "id"), context.req.raw),
  });
  route("/questions", { GET: () => questions.list() });
  route("/questions/:id", {
    POST: (context) => questions.answer(param(context, "id"), context.req.raw),
  });
  route("/elicit/:id", {
    POST: (context) => runs.elicit(param(context, "id"), context.req.raw),
  });
  route("/stdin/:id", { POST: (context) => runs.stdin(param(context, "id"), context.req.raw) });
  app.notFound(({ req: { raw, path } }) => {
    if (wantsHtml(raw)) return page.show(raw);
    const message = `No route "${path}": see docs/reference/http.md`;
    return problemResponse(new HttpError("not_found", message), log);
  });
  return app;

  async function mcp(context: Context<AppEnv>): Promise<Response> {
    const request = context.req.raw;
    if (request.method !== "POST") return await deps.mcp.handle(request, undefined);
    requireJson(request);
    const text = new TextDecoder().decode(await readBytes(request, deps.limits().bodyBytes));
    return await deps.mcp.handle(request, parseJson(text));
  }

  /** Only the command line gets codes: a page would give its session away. */
  function issueCode(request: Request): Response {
    guard.checkToken(request);
    requireJson(request);
    return Response.json({ code: deps.sessions.issueCode() });
  }

  async function call(context: Context<AppEnv>): Promise<Response> {
    const request = context.req.raw;
    const args = await readJson(request, deps.limits().bodyBytes) ?? {};
    const confirm = context.req.header(CONFIRM_HEADER);
    const wire = param(context, "name");
    const result = await callTool(deps, {
      wire,
      args,
      retry: readRetry(new URL(request.url).searchParams),
      confirm,
      signal: request.signal,
      client: clientOf(request),
      trace: traceOf(request),
    });
    const headers = { "content-type": "application/json" };
    return new Response(await callText(result), { headers });
  }
}

/** Presence of a client alone, or with its messages. */
function attachRoutes({ attachments, mcp }: AppDeps): Methods<AppEnv> {
  return {
    async POST({ req: { raw } }) {
      const leave = attachments.enter();
      try {
        return await mcp.attach(raw, leave);
      } catch (error) {
        leave();
        throw error;
      }
    },
  };
}

/** Lists every tool, once each pack has listed its tools or failed. */
async function listTools(registry: Registry): Promise<Response> {
  await registry.settle(null);
  return Response.json(
    registry.entries().map((entry) => ({
      name: `${entry.pack}.${entry.tool}`,
      server: entry.pack,
      description: entry.spec.description,
      source: sourceOf(entry),
      effect: entry.effect,
      effect_from: entry.effectFrom,
    })),
  );
}

export interface StatusSource {
  readonly version: string;
  readonly registry: Registry;
  readonly sandbox: Sandbox;
  readonly uptimeSeconds: () => number;
}

/** Body of `GET /status`. */
export function statusOf(source: StatusSource): Record<string, unknown> {
  const servers = source.registry.packs().filter(isServer).map((pack) => {
    const { state, transport, error } = pack.status();
    return [pack.name, { status: state, transport, tools: pack.tools().length, error }];
  });
  const workers = source.registry.packs().filter((pack) => pack.source === "worker").map((pack) => {
    const { state, error } = pack.status();
    return [pack.name, { status: state, tools: pack.tools().length, error }];
  });
  return {
    version: source.version,
    uptime_s: source.uptimeSeconds(),
    servers: Object.fromEntries(servers),
    workers: Object.fromEntries(workers),
    sandbox: source.sandbox.status(),
  };
}

/** Response to `GET /ready`: 200 when no server is still connecting. */
export function readiness(registry: Registry): Response {
  const pending = registry.packs().filter((pack) => pack.status().state === "connecting")
    .map(({ name }) => name);
  const ready = pending.length === 0;
  return Response.json({ ready, pending }, { status: ready ? 200 : 503 });
}

function isServer(pack: Pack): boolean {
  return pack.source.startsWith("proxy:");
}
