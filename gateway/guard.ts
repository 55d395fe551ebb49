/** Access checks: Host and Origin first, then the token or the cookie of a browser. */

import { timingSafeEqual } from "node:crypto";
import type { Sessions } from "./page/sessions.ts";
import { HttpError, isReadMethod } from "./problem.ts";

export interface GuardOptions {
  /** Host names, besides the loopback ones, by which clients may reach the gateway. */
  readonly hosts: readonly string[];
  readonly port: () => number;
  readonly token: string;
  readonly sessions: Pick<Sessions, "has">;
}

export interface Guard {
  /** Throws 403 for a foreign Host or Origin (DNS rebinding, cross-site requests). */
  checkOrigin(request: Request): void;
  /** Throws 401 without the client token or the cookie of a browser, and 403 for a request with the
   * cookie that does not come from the page itself. The path is the one that the router compares:
   * `/%65vents` leads to `/events`. */
  checkClient(request: Request, path: string): void;
  /** Throws 401 without the client token. */
  checkToken(request: Request): void;
  /** True for a request with the client token or the cookie. */
  isClient(request: Request): boolean;
}

/** Routes for clients, which have the token. */
const NEED_TOKEN = new Set(["/attach", "/stay"]);

const LOOPBACK = ["127.0.0.1", "localhost", "[::1]"];

/** Builds the checks for one gateway. */
export function createGuard({ hosts, port, token, sessions }: GuardOptions): Guard {
  const expected = new TextEncoder().encode(token);
  const names = new Set([...LOOPBACK, ...hosts]);

  function own(authority: string): boolean {
    const match = /^(?<host>\[[0-9a-f:]+\]|[^:]+)(?::(?<port>\d+))?$/i.exec(authority);
    const host = match?.groups?.host?.toLowerCase();
    return host !== undefined && names.has(host) && Number(match?.groups?.port ?? "80") === port();
  }

  function matches(candidate: string): boolean {
    const bytes = new TextEncoder().encode(candidate);
    return bytes.length === expected.length && timingSafeEqual(bytes, expected);
  }

  function hasToken({ headers }: Request): boolean {
    const bearer = /^Bearer (.+)$/i.exec(headers.get("authorization") ?? "")?.[1];
    return bearer !== undefined && matches(bearer);
  }

  function checkToken(request: Request): void {
    if (hasToken(request)) return;
    throw new HttpError(
      "unauthorized",
      "Refused: no valid client token: send `Authorization: Bearer <token>`, with the token " +
        "that is in ~/.onetool/run/ (or TOOLSCRIPT_TOKEN)",
      { headers: { "www-authenticate": "Bearer" } },
    );
  }

  return {
    checkOrigin(request) {
      if (!own(request.headers.get("host") ?? "")) {
        throw new HttpError("forbidden", "Refused: the Host header is not this gateway's address");
      }
      const origin = request.headers.get("origin");
      if (origin !== null && !(origin.startsWith("http://") && own(origin.slice(7)))) {
        throw new HttpError("forbidden", "Refused: the request comes from a foreign origin");
      }
    },
    checkClient(request, path) {
      if (hasToken(request)) return;
      if (!sessions.has(request) || NEED_TOKEN.has(path)) return checkToken(request);
      if (isFromPage(request)) return;
      throw new HttpError("forbidden", "Refused: the request does not come from the page itself");
    },
    checkToken,
    isClient: (request) => hasToken(request) || sessions.has(request),
  };
}

/** Tells whether a browser says that the gateway's own page sent the request, or that a person typed its
 * address. A page of another port is of the same site, so its requests carry the cookie. */
function isFromPage({ method, headers }: Request): boolean {
  const site = headers.get("sec-fetch-site");
  const isOwn = site === null || site === "same-origin";
  if (isReadMethod(method)) return isOwn || site === "none";
  return isOwn && headers.get("origin") === `http://${headers.get("host")}`;
}
