/** Pages of servers and packs, and what their buttons do. */

import type { Context } from "hono";
import type { Pack } from "#packs";
import { readForm } from "../body.ts";
import { HttpError } from "../problem.ts";
import { param } from "../routes.ts";
import type { PageDeps, PageParts } from "./deps.ts";
import { seeOther } from "./headers.ts";
import { framed } from "./views/layout.tsx";
import { packPath } from "./views/paths.ts";
import { Server, Servers } from "./views/servers.tsx";

/** Responds with all servers and packs. */
export function serversPage({ deps, frame }: PageParts): Promise<Response> {
  const children = <Servers registry={deps.registry} />;
  return framed(frame(), { title: "Servers", section: "/servers", children });
}

/** Responds with one server or pack. */
export function serverPage(context: Context, { deps, frame }: PageParts): Promise<Response> {
  const pack = packOf(context, deps);
  const entries = deps.registry.entries().filter((entry) => entry.pack === pack.name);
  const changes = deps.pins.changes(pack.name);
  const children = <Server pack={pack} entries={entries} changes={changes} />;
  return framed(frame(), { title: pack.name, section: "/servers", children });
}

/** Restarts what runs behind a pack. */
export async function restart(context: Context, deps: PageDeps): Promise<Response> {
  await readForm(context.req.raw, deps.limits().bodyBytes);
  const pack = packOf(context, deps);
  pack.restart?.();
  return seeOther(packPath(pack.name));
}

/** Takes the changed tools of a server for what they are, all or one of them. */
export async function acceptChanges(context: Context, deps: PageDeps): Promise<Response> {
  const form = await readForm(context.req.raw, deps.limits().bodyBytes);
  const { name } = packOf(context, deps);
  const accepted = await deps.pins.accept(name, form.get("tool") ?? undefined);
  if (accepted) return seeOther(packPath(name));
  throw new HttpError("not_found", `Cannot accept: the server "${name}" has sent no such tool`);
}

function packOf(context: Context, { registry }: PageDeps): Pack {
  const name = param(context, "name");
  const pack = registry.packs().find((pack) => pack.name === name);
  if (pack) return pack;
  throw new HttpError("not_found", `There is no server or pack "${name.slice(0, 100)}"`);
}
