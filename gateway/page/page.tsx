/** The page: its routes, over the same parts as the API. It keeps nothing itself. */

import { basename } from "node:path";
import { type Context, Hono } from "hono";
import { readForm } from "../body.ts";
import { HttpError, problemOf } from "../problem.ts";
import { createRoutes, param } from "../routes.ts";
import { type Assets, readAssets } from "./assets.ts";
import type { PageDeps, PageParts } from "./deps.ts";
import { seeOther } from "./headers.ts";
import { resultPage, runPage, runsPage } from "./run_pages.tsx";
import { statisticsPage } from "./statistics.tsx";
import { callFromForm, toolsPage } from "./tool_pages.tsx";
import { Failure } from "./views/failure.tsx";
import { Home } from "./views/home.tsx";
import { framed } from "./views/layout.tsx";
import { packPath, Server, Servers } from "./views/servers.tsx";

/** Runs on the first page. */
const RUNNING = 20;
const LAST = 10;

/** Builds the handler of the requests of clients for the page. */
export async function createPage(
  deps: PageDeps,
): Promise<(request: Request) => Promise<Response>> {
  const assets = await readAssets();
  const frame = { project: basename(deps.project), assets: assets.addresses };
  const app = new Hono();
  const route = createRoutes(app);
  addPages(route, { deps, frame });
  addServers(route, { deps, frame });
  route("/page/:file", { GET: (context) => assetOf(assets, param(context, "file")) });
  app.notFound(({ req }) => failed(new HttpError("not_found", `There is no page "${req.path}"`)));
  app.onError(failed);
  return async (request) => await app.fetch(request);

  function failed(thrown: unknown): Promise<Response> {
    const { status, headers, error } = problemOf(thrown, deps.log);
    const page = { title: "Not done", children: <Failure status={status} error={error} /> };
    return framed(frame, page, { status, headers });
  }
}

type Route = ReturnType<typeof createRoutes>;

function addPages(route: Route, parts: PageParts): void {
  const { deps, frame } = parts;
  route("/", {
    GET: () => {
      const { journal, registry, now } = deps;
      const running = journal.list({ outcome: "running" }, { limit: RUNNING }).runs;
      const last = journal.list({ outcome: "ended" }, { limit: LAST }).runs;
      const children = <Home {...{ registry, running, last }} now={now()} />;
      return framed(frame, { title: "Now", section: "/", isLive: true, children });
    },
  });
  route("/runs", { GET: (context) => runsPage(context, parts) });
  route("/runs/:id", { GET: (context) => runPage(context, parts) });
  route("/results/:handle", { GET: (context) => resultPage(context, parts) });
  route("/tools", { GET: ({ req: { raw } }) => toolsPage(raw, parts) });
  route("/stats", { GET: ({ req: { raw } }) => statisticsPage(raw, parts) });
  route("/page/tools/:name", {
    POST: (context) => callFromForm(param(context, "name"), context.req.raw, parts),
  });
}

function addServers(route: Route, { deps, frame }: PageParts): void {
  const { registry } = deps;

  function packOf(context: Context) {
    const name = param(context, "name");
    const pack = registry.packs().find((pack) => pack.name === name);
    if (pack) return pack;
    throw new HttpError("not_found", `There is no server or pack "${name.slice(0, 100)}"`);
  }

  route("/servers", {
    GET: () => {
      const children = <Servers registry={registry} />;
      return framed(frame, { title: "Servers", section: "/servers", isLive: true, children });
    },
  });
  route("/servers/:name", {
    GET: (context) => {
      const pack = packOf(context);
      const entries = registry.entries().filter((entry) => entry.pack === pack.name);
      const children = <Server pack={pack} entries={entries} />;
      return framed(frame, { title: pack.name, section: "/servers", isLive: true, children });
    },
  });
  route("/page/servers/:name/restart", {
    POST: async (context) => {
      await readForm(context.req.raw, deps.limits().bodyBytes);
      const pack = packOf(context);
      pack.restart?.();
      return seeOther(packPath(pack.name));
    },
  });
}

function assetOf(assets: Assets, name: string): Response {
  const response = assets.respond(name);
  if (response) return response;
  throw new HttpError("not_found", `There is no file "${name.slice(0, 100)}" of the page`);
}
