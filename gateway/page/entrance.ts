/** Way to the page: a code becomes a cookie, a visit without one is told how to get it, and the page
 * itself is loaded at the first visit. */

import type { Guard } from "../guard.ts";
import { isReadMethod } from "../problem.ts";
import type { PageDeps } from "./deps.ts";
import type { Sessions } from "./sessions.ts";
import type { RefusedReason } from "./views/refused.tsx";

export interface PageEntranceDeps extends PageDeps {
  readonly guard: Pick<Guard, "isClient">;
  readonly sessions: Sessions;
}

export interface PageEntrance {
  /** Response to a visit with a code, or without a cookie; undefined for all other requests. */
  admit(request: Request, from?: Origin): Promise<Response> | undefined;
  /** Response of the page to a client. */
  show(request: Request): Promise<Response>;
}

/** Where a request comes from. */
export interface Origin {
  /** Resolves to true for another user of this machine, and for a program in the sandbox. */
  readonly isForeign?: () => Promise<boolean>;
}

/** Paths of the page, as routes. */
export const PAGE_PATHS = [
  "/",
  "/runs",
  "/runs/:id",
  "/results/:handle",
  "/servers",
  "/servers/:name",
  "/stats",
  "/page/*",
] as const;
/** The same without what is below `/page/`, where a visit without a cookie gets an error as JSON. */
const VISITED = /^\/(?:$|(?:runs|results|servers)(?:\/[^/]*)?$|stats$)/;

/** Builds the entrance. */
export function createPageEntrance(deps: PageEntranceDeps): PageEntrance {
  const { guard, sessions } = deps;
  let page: Promise<(request: Request) => Promise<Response>> | undefined;

  async function load(): Promise<(request: Request) => Promise<Response>> {
    const { createPage } = await import("./page.tsx");
    return createPage(deps);
  }

  async function refuse(
    request: Request,
    reason: RefusedReason,
  ): Promise<Response> {
    const { refusedPage } = await import("./views/refused.tsx");
    return refusedPage(reason, { hasSession: guard.isClient(request) });
  }

  /** Exchanges a code for a cookie. The code is on the command line of the browser, which every
   * user of the host can read, and a tool may reveal it to a program. Finding the sender of a
   * request takes time, so this is done for a valid code only. */
  async function exchange(
    request: Request,
    code: string,
    { isForeign = () => Promise.resolve(false) }: Origin,
  ): Promise<Response> {
    if (!isOpened(request)) return await refuse(request, "script");
    if (!sessions.isValid(code)) return await refuse(request, "code");
    if (await isForeign()) return await refuse(request, "foreign");
    return await begin(request, code);
  }

  async function begin(request: Request, code: string): Promise<Response> {
    const cookie = sessions.begin(code);
    if (cookie === undefined) return await refuse(request, "code");
    const { FRESH, HEADERS } = await import("./headers.ts");
    const headers = { ...HEADERS, ...FRESH, location: "/", "set-cookie": cookie };
    return new Response(null, { status: 303, headers });
  }

  return {
    admit(request, from = {}) {
      if (!isReadMethod(request.method)) return undefined;
      const { pathname, searchParams } = new URL(request.url);
      const code = pathname === "/" ? searchParams.get("code") : null;
      if (code !== null && request.method === "GET") return exchange(request, code, from);
      if (!isVisit(request, pathname)) return undefined;
      if (isFromElsewhere(request)) return refuse(request, "elsewhere");
      if (guard.isClient(request)) return undefined;
      return refuse(request, "no_session");
    },
    async show(request) {
      return await (await (page ??= load()))(request);
    },
  };
}

/** Tells whether a person opened the address in a window, as far as the browser says. A service worker
 * or a page that an earlier server of this port left is of the same origin. */
function isOpened({ headers }: Request): boolean {
  const isDocument = (headers.get("sec-fetch-dest") ?? "document") === "document";
  return isDocument && headers.get("sec-fetch-site") !== "same-origin";
}

/** Tells whether a page of another port or site led the browser here. */
function isFromElsewhere({ headers }: Request): boolean {
  return /^(?:same|cross)-site$/.test(headers.get("sec-fetch-site") ?? "");
}

function isVisit(request: Request, pathname: string): boolean {
  return VISITED.test(pathname) || pathname === "/tools" && takesPage(request);
}

/** Tells whether a request for `/tools` is for the page, and not for the list of all tools as JSON. */
export function takesPage(request: Request): boolean {
  if (wantsHtml(request)) return true;
  const { headers } = request;
  const wantsJson = headers.get("accept")?.includes("json") === true;
  return headers.has("cookie") && !headers.has("authorization") && !wantsJson;
}

/** Tells whether a browser asks for a page. */
export function wantsHtml({ headers }: Request): boolean {
  return headers.get("accept")?.includes("text/html") === true;
}
