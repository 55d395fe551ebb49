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
  /** Tells whether a code is valid, and leaves it so. */
  isValid(code: string): boolean;
  /** Uses a code up; returns the cookie of the session, undefined for a code that is spent, old or
   * unknown. */
  begin(code: string): string | undefined;
  /** Tells whether the request carries the cookie of a session. */
  has(request: Request): boolean;
}

/** Time for which a code is valid, in milliseconds. */
export const CODE_MS = 60_000;
/** Codes and sessions at a time; the oldest go first. */
const MOST = 64;

/** Builds the sessions of one gateway; they end with it. */
export function createSessions({ now, newSecret, port }: SessionsDeps): Sessions {
  /** Times of expiry. */
  const codes = new Map<string, number>();
  const sessions = new Set<string>();
  const cookie = () => `toolscript_${port()}`;
  const isValid = (code: string) => (codes.get(code) ?? -Infinity) > now();
  return {
    issueCode() {
      const code = newSecret();
      codes.set(code, now() + CODE_MS);
      dropOldest(codes);
      return code;
    },
    isValid,
    begin(code) {
      const wasValid = isValid(code);
      codes.delete(code);
      if (!wasValid) return undefined;
      const secret = newSecret();
      sessions.add(secret);
      dropOldest(sessions);
      return `${cookie()}=${secret}; Path=/; HttpOnly; SameSite=Strict`;
    },
    has({ headers }) {
      if (sessions.size === 0) return false;
      const name = `${cookie()}=`;
      return (headers.get("cookie") ?? "").split(/;\s*/)
        .some((pair) => pair.startsWith(name) && sessions.has(pair.slice(name.length)));
    },
  };
}

function dropOldest(items: Map<string, unknown> | Set<string>): void {
  const [oldest] = items.keys();
  if (items.size > MOST && oldest !== undefined) items.delete(oldest);
}
