/** Short names of direct tools and of prompts: each belongs to the server that had it first, since a client
 * may have learned it from that server's description. */

/** Characters of a short name, and short names of one server. */
const MOST_CHARACTERS = 256;
const MOST_NAMES = 10_000;

export interface ShortName {
  readonly kind: "tools" | "prompts";
  readonly server: string;
  /** Name at the server. */
  readonly name: string;
}

export interface ShortNames {
  /** Assigns the name to this server unless another server has had it. False where the long name is
   * to be used, `server__name`, which is no other server's short name either. */
  take(name: ShortName): boolean;
  /** Replaces the servers; the names of one that is `gone`, or that was not there, are free. */
  follow(servers: readonly string[], options: { readonly gone: (server: string) => boolean }): void;
}

/** Builds the names of these servers; none is taken. */
export function createShortNames(servers: readonly string[]): ShortNames {
  let taken = new Map(servers.map((server) => [server, new Set<string>()]));

  function isOthers({ server, name }: ShortName, key: string): boolean {
    return [...taken].some(([other, names]) =>
      other !== server && (names.has(key) || name.startsWith(`${other}__`))
    );
  }

  return {
    take(entry) {
      const key = `${entry.kind} ${entry.name}`;
      const own = taken.get(entry.server);
      if (!own || entry.name.length > MOST_CHARACTERS || isOthers(entry, key)) return false;
      if (own.size < MOST_NAMES) own.add(key);
      return own.has(key);
    },
    follow(next, { gone }) {
      taken = new Map(
        next.map((server) => [server, gone(server) ? new Set() : taken.get(server) ?? new Set()]),
      );
    },
  };
}
