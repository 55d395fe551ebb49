/** Owner of the program at the other end of a connection within this machine. */

import { attempt } from "./attempt.ts";

const TABLES = ["/proc/net/tcp", "/proc/net/tcp6"];
/** The system's own programs pass connections on. */
const ROOT = 0;
const ESTABLISHED = "01";
const LOOPBACK = /^(?:\[?::1\]?|(?:::ffff:)?127\.)/;
/** A table that changes while it is read may leave a connection out. */
const TRIES = 2;

/** Tells that a program of another user sent the request that came from `remote`, to the port `own` of
 * this machine. A connection that is closed already counts as another user's: its owner is not shown.
 * False where the system does not tell, as all but Linux. */
export function isForeignPeer(
  remote: Pick<Deno.NetAddr, "hostname" | "port">,
  own: number,
): boolean {
  for (let tries = 0; tries < TRIES; tries++) {
    // A system without IPv6 has no second table.
    const tables = TABLES.map((table) => attempt(() => Deno.readTextFileSync(table), ""));
    if (tables.every((table) => table === "")) return false;
    const sockets = tables.flatMap((table) => socketsIn(table, remote.port, own));
    if (sockets.some(isOurs)) return false;
    if (sockets.length === 0 && !LOOPBACK.test(remote.hostname)) return false; // of another machine
  }
  return true;
}

/** One end of a connection. */
interface Socket {
  readonly state: string;
  readonly user: number;
  /** 0 once its process has closed it. */
  readonly inode: number;
}

function isOurs({ state, user, inode }: Socket): boolean {
  return state === ESTABLISHED && inode !== 0 && (user === ROOT || user === Deno.uid());
}

/** Sockets with this local and this remote port. */
function socketsIn(table: string, local: number, remote: number): Socket[] {
  return table.split("\n").flatMap((line) => {
    const [, from = "", to = "", state = "", , , , uid, , inode] = line.trim().split(/\s+/);
    const isTheirs = portOf(from) === local && portOf(to) === remote;
    return isTheirs ? [{ state, user: Number(uid), inode: Number(inode) }] : [];
  });
}

function portOf(address: string): number {
  return parseInt(address.slice(address.lastIndexOf(":") + 1), 16);
}
