/** The page: its routes, over the same parts as the API. It keeps nothing itself but the
 * written arguments of waiting questions. */

import { basename } from "node:path";
import { type Context, Hono } from "hono";
import { readForm } from "../body.ts";
import { HttpError, problemOf } from "../problem.ts";
import { createRoutes, param } from "../routes.ts";
import {
  acceptChanges,
  restart,
  serverPage,
  serversPage,
  signIn,
  signOut,
} from "./server_pages.tsx";
import { type Assets, readAssets } from "./assets.ts";
import { createArgumentTexts } from "./argument_texts.ts";
import type { PageDeps, PageParts } from "./deps.ts";
import { seeOther } from "./headers.ts";
import { answerFromForm } from "./question_form.ts";
import { resultPage, runPage, runsPage } from "./run_pages.tsx";
import { statisticsPage } from "./statistics.tsx";
import { callFromForm, toolsPage } from "./tool_pages.tsx";
import { Home } from "./views/home.tsx";
import { Failure, framed } from "./views/layout.tsx";

/** Runs on the first page. */
const RUNNING = 20;
const LAST = 10;

/** Builds the handler of the requests of clients for the page. */
export async function createPage(
  deps: PageDeps,
): Promise<(request: Request) => Promise<Response>> {
  const assets = await readAssets();
  const frame = () => ({
    project: basename(deps.project),
    assets: assets.addresses,
    waiting: deps.inbox.list().length,
  });
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
    return framed(frame(), page, { status, headers });
  }
}

type Route = ReturnType<typeof createRoutes>;

function addPages(route: Route, parts: PageParts): void {
  const { deps, frame } = parts;
  const writeArguments = createArgumentTexts();
  route("/", {
    GET: async () => {
      const { journal, registry, now } = deps;
      const running = journal.list({ outcome: "running" }, { limit: RUNNING }).runs;
      const last = journal.list({ outcome: "ended" }, { limit: LAST }).runs;
      const trust = await deps.trust.offer();
      const questions = deps.inbox.list();
      const { clientOf } = journal;
      const argumentText = await writeArguments(questions);
      const content = { questions, clientOf, argumentText, registry, running, last, trust };
      const children = <Home {...content} now={now()} />;
      return await framed(frame(), { title: "Now", section: "/", children });
    },
  });
  route("/runs", { GET: (context) => runsPage(context, parts) });
  route("/runs/:id", { GET: (context) => runPage(context, parts) });
  route("/results/:handle", { GET: (context) => resultPage(context, parts) });
  route("/tools", { GET: ({ req: { raw } }) => toolsPage(raw, parts) });
  route("/stats", { GET: ({ req: { raw } }) => statisticsPage(raw, parts) });
  route("/page/questions/:id", { POST: (context) => answerFromForm(context, deps) });
  route("/page/trust", { POST: (context) => grantTrust(context, deps) });
  route("/page/tools/:name", {
    POST: (context) => callFromForm(param(context, "name"), context.req.raw, parts),
  });
}

function addServers(route: Route, parts: PageParts): void {
  const { deps } = parts;
  route("/servers", { GET: () => serversPage(parts) });
  route("/servers/:name", { GET: (context) => serverPage(context, parts) });
  route("/page/servers/:name/restart", { POST: (context) => restart(context, deps) });
  route("/page/servers/:name/sign-in", { POST: (context) => signIn(context, parts) });
  route("/page/servers/:name/sign-out", { POST: (context) => signOut(context, deps) });
  route("/page/servers/:name/accept", { POST: (context) => acceptChanges(context, deps) });
}

/** Trusts the project as the person has seen it. */
async function grantTrust(context: Context, { trust, limits }: PageDeps): Promise<Response> {
  const form = await readForm(context.req.raw, limits().bodyBytes);
  if (await trust.grant(form.get("hash") ?? "")) return seeOther("/");
  const way = "go back, and look at what it would start now";
  throw new HttpError("bad_request", `Cannot trust the project: its files have changed: ${way}`);
}

function assetOf(assets: Assets, name: string): Response {
  const response = assets.respond(name);
  if (response) return response;
  throw new HttpError("not_found", `There is no file "${name.slice(0, 100)}" of the page`);
}
