/** Owner of the program at the other end of a connection within this machine. */

import { attempt } from "./attempt.ts";

const TABLES = ["/proc/net/tcp", "/proc/net/tcp6"];
/** The system's own programs pass connections on. */
const ROOT = 0;

/** Tells that a program of another user sent the request that came from `remote`, a port of this
 * machine, to the port `own`. False where the system does not tell, as all but Linux. */
export function isForeignPeer(remote: Pick<Deno.NetAddr, "port">, own: number): boolean {
  const users = TABLES.flatMap((table) => {
    // A system without IPv6 has no second table.
    return ownersIn(attempt(() => Deno.readTextFileSync(table), ""), remote.port, own);
  });
  return users.some((user) => user !== ROOT && user !== Deno.uid());
}

/** Users of the sockets with this local and this remote port. */
function ownersIn(table: string, local: number, remote: number): number[] {
  return table.split("\n").flatMap((line) => {
    const [, from = "", to = "", , , , , uid] = line.trim().split(/\s+/);
    return portOf(from) === local && portOf(to) === remote ? [Number(uid)] : [];
  });
}

function portOf(address: string): number {
  return parseInt(address.slice(address.lastIndexOf(":") + 1), 16);
}
