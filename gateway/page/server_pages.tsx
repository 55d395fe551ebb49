/** Pages of servers and packs, and what their buttons do. */

import { createHash } from "node:crypto";
import type { Context } from "hono";
import { messageOf } from "#base";
import type { Pack, PinChange } from "#packs";
import { readForm } from "../body.ts";
import { HttpError } from "../problem.ts";
import { param } from "../routes.ts";
import type { PageDeps, PageParts } from "./deps.ts";
import { seeOther } from "./headers.ts";
import { framed } from "./views/layout.tsx";
import { packPath } from "./views/paths.ts";
import { Server, Servers } from "./views/servers.tsx";
import { OpenAddress } from "./views/sign_in.tsx";

/** Responds with all servers and packs. */
export function serversPage({ deps, frame }: PageParts): Promise<Response> {
  const children = <Servers registry={deps.registry} />;
  return framed(frame(), { title: "Servers", section: "/servers", children });
}

/** Responds with one server or pack. */
export async function serverPage(
  context: Context,
  { deps, frame }: PageParts,
): Promise<Response> {
  const pack = packOf(context, deps);
  const entries = deps.registry.entries().filter((entry) => entry.pack === pack.name);
  const changes = deps.pins.changes(pack.name);
  const signIn = await deps.signIns.read(pack.name);
  const now = deps.now();
  const seen = digestOf(changes);
  const children = (
    <Server pack={pack} entries={entries} changes={changes} seen={seen} signIn={signIn} now={now} />
  );
  return await framed(frame(), { title: pack.name, section: "/servers", children });
}

/** Restarts what runs behind a pack. */
export async function restart(context: Context, deps: PageDeps): Promise<Response> {
  await readForm(context.req.raw, deps.limits().bodyBytes);
  const pack = packOf(context, deps);
  pack.restart?.();
  return seeOther(packPath(pack.name));
}

/** Leads the browser to the sign-in at a server. */
export async function signIn(context: Context, { deps, frame }: PageParts): Promise<Response> {
  await readForm(context.req.raw, deps.limits().bodyBytes);
  const name = await signInOf(context, deps);
  const prompt = await deps.signIns.begin(name).catch((cause) => {
    const why = messageOf(cause);
    throw new HttpError("unavailable", `Cannot sign in to "${name}": ${deps.redact(why)}`);
  });
  if (!prompt) return seeOther(packPath(name));
  const { url, code, otherIssuer, receiver } = prompt;
  const isAddress = URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
  if (!isAddress) throw new HttpError("unavailable", `Cannot sign in to "${name}": no address`);
  const { href } = new URL(url);
  const isPlain = [code, otherIssuer, receiver].every((fact) => fact === undefined);
  if (isPlain) return seeOther(href);
  const self = packPath(name);
  const children = <OpenAddress {...prompt} server={name} url={href} />;
  return await framed(frame(), { title: "Sign in", section: "/servers", self, children });
}

/** Ends the sign-in at a server. */
export async function signOut(context: Context, deps: PageDeps): Promise<Response> {
  await readForm(context.req.raw, deps.limits().bodyBytes);
  const name = await signInOf(context, deps);
  if (await deps.signIns.end(name)) return seeOther(packPath(name));
  const state = "the server did not revoke the sign-in: end it there, too";
  throw new HttpError("unavailable", `Signed out of "${name}" here, but ${state}`);
}

/** Takes the changed tools of a server for what they are, all or one of them, unless they have changed
 * again since the person saw them. */
export async function acceptChanges(context: Context, deps: PageDeps): Promise<Response> {
  const form = await readForm(context.req.raw, deps.limits().bodyBytes);
  const { name } = packOf(context, deps);
  const seen = form.get("seen");
  const accepted = await deps.pins.accept(name, {
    tool: form.get("tool") ?? undefined,
    isSeen: (changes) => seen === null || seen === digestOf(changes),
  });
  if (accepted === undefined) {
    const way = "go back, and look at what is different now";
    throw new HttpError("bad_request", `Cannot accept: the tools have changed again: ${way}`);
  }
  if (accepted.length > 0) return seeOther(packPath(name));
  throw new HttpError("not_found", `Cannot accept: the server "${name}" has sent no such tool`);
}

/** Digest of the changes that a page shows. */
function digestOf(changes: readonly PinChange[]): string {
  return createHash("sha256").update(JSON.stringify(changes)).digest("hex");
}

/** Name of a server that has a sign-in. */
async function signInOf(context: Context, deps: PageDeps): Promise<string> {
  const { name } = packOf(context, deps);
  if (await deps.signIns.read(name) !== undefined) return name;
  throw new HttpError("not_found", `The server "${name}" has no sign-in`);
}

function packOf(context: Context, { registry }: PageDeps): Pack {
  const name = param(context, "name");
  const pack = registry.packs().find((pack) => pack.name === name);
  if (pack) return pack;
  throw new HttpError("not_found", `There is no server or pack "${name.slice(0, 100)}"`);
}
