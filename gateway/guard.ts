/** Access checks: Host and Origin first, then the token. */

import { timingSafeEqual } from "node:crypto";
import { HttpError } from "./problem.ts";

export interface GuardOptions {
  /** Host names, besides the loopback ones, by which clients may reach the gateway. */
  readonly hosts: readonly string[];
  readonly port: () => number;
  readonly token: string;
}

export interface Guard {
  /** Throws 403 for a foreign Host or Origin (DNS rebinding, cross-site requests). */
  checkOrigin(request: Request): void;
  /** Throws 401 without the client token. */
  checkToken(request: Request): void;
  /** True for a request with the client token. */
  isClient(request: Request): boolean;
}

const LOOPBACK = ["127.0.0.1", "localhost", "[::1]"];

/** Builds the checks for one gateway. */
export function createGuard({ hosts, port, token }: GuardOptions): Guard {
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

  function isClient({ headers }: Request): boolean {
    const bearer = /^Bearer (.+)$/i.exec(headers.get("authorization") ?? "")?.[1];
    return bearer !== undefined && matches(bearer);
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
    checkToken(request) {
      if (isClient(request)) return;
      throw new HttpError(
        "unauthorized",
        "Refused: no valid client token: send `Authorization: Bearer <token>`, with the token " +
          "that is in ~/.onetool/run/ (or TOOLSCRIPT_TOKEN)",
        { headers: { "www-authenticate": "Bearer" } },
      );
    },
    isClient,
  };
}
