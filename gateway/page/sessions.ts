/** Sign-in of browsers: codes that are valid once, and the sessions that they begin. */

export interface SessionsDeps {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Makes a random secret. */
  readonly newSecret: () => string;
  /** Browsers send cookies to every port of a host, so the port is part of the cookie's name. */
  readonly port: () => number;
}

export interface Sessions {
  /** Makes a code that is valid once, for `CODE_MS`. */
  issueCode(): string;
  /** Uses a code up; returns the cookie of the session, undefined for a code that is spent, old or
   * unknown. */
  begin(code: string): string | undefined;
  /** Tells whether the request carries the cookie of a session. */
  has(request: Request): boolean;
  /** Notes that a page comes before the person of the session. */
  show(request: Request): void;
  /** Tells whether what this request sends may have been pressed on purpose: the last page is there for
   * `SETTLE_MS`. */
  takesPress(request: Request): boolean;
}

/** Time for which a code is valid, in milliseconds. */
export const CODE_MS = 60_000;
/** Time for which a page is before the person until a press counts, in milliseconds; `presses.js` has the
 * same, and looks at what only the browser knows. */
export const SETTLE_MS = 700;
/** Codes and sessions at a time; the oldest go first. */
const MOST = 64;

/** Builds the sessions of one gateway; they end with it. */
export function createSessions({ now, newSecret, port }: SessionsDeps): Sessions {
  /** Times of expiry. */
  const codes = new Map<string, number>();
  /** Times of the last page. */
  const sessions = new Map<string, number>();
  const cookie = () => `toolscript_${port()}`;

  function secretOf({ headers }: Request): string | undefined {
    if (sessions.size === 0) return undefined;
    const name = `${cookie()}=`;
    return (headers.get("cookie") ?? "").split(/;\s*/)
      .filter((pair) => pair.startsWith(name)).map((pair) => pair.slice(name.length))
      .find((secret) => sessions.has(secret));
  }

  return {
    issueCode() {
      const code = newSecret();
      codes.set(code, now() + CODE_MS);
      dropOldest(codes);
      return code;
    },
    begin(code) {
      const expiry = codes.get(code);
      codes.delete(code);
      if (expiry === undefined || expiry <= now()) return undefined;
      const secret = newSecret();
      sessions.set(secret, -Infinity);
      dropOldest(sessions);
      return `${cookie()}=${secret}; Path=/; HttpOnly; SameSite=Strict`;
    },
    has: (request) => secretOf(request) !== undefined,
    show(request) {
      const secret = secretOf(request);
      if (secret !== undefined) sessions.set(secret, now());
    },
    takesPress(request) {
      const age = now() - (sessions.get(secretOf(request) ?? "") ?? -Infinity);
      return age < 0 || age >= SETTLE_MS; // a clock that was set back holds nothing up
    },
  };
}

function dropOldest(items: Map<string, unknown>): void {
  const [oldest] = items.keys();
  if (items.size > MOST && oldest !== undefined) items.delete(oldest);
}
