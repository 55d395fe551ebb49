/** Owner of the program at the other end of a connection within this machine. */

import { lookup } from "node:dns/promises";
import { attempt } from "./attempt.ts";

const TABLES = ["/proc/net/tcp", "/proc/net/tcp6"];
/** The system's own programs pass connections on. */
const ROOT = 0;
const ESTABLISHED = "01";
const LISTENING = "0A";
/** Addresses that lead back to this machine, with those that stand for all of them. */
const LOOPBACK = /^\[::(?:1|ffff:7f..:.*|ffff:0:0)?\]$/;
/** A table that changes while it is read may leave a connection out. */
const TRIES = 2;

type Peer = Pick<Deno.NetAddr, "hostname" | "port">;

/** Tells that a program of another user sent the request that came from `remote`, to the port `own` of
 * this machine. A connection that is closed already counts as another user's: its owner is not shown.
 * False where the system does not tell, as all but Linux. */
export function isForeignPeer(remote: Peer, own: number): boolean {
  for (let tries = 0; tries < TRIES; tries++) {
    // A system without IPv6 has no second table.
    const tables = TABLES.map((table) => attempt(() => Deno.readTextFileSync(table), ""));
    if (tables.every((table) => table === "")) return false;
    const sockets = tables.flatMap((table) => socketsIn(table, remote, own));
    if (sockets.length > 0 ? sockets.every(isOurs) : isOfOtherMachine(remote)) return false;
  }
  return true;
}

/** Tells that a program of another user listens at a port of this machine. False where the system does
 * not tell, as all but Linux. */
export function isForeignListener(port: number): boolean {
  const lines = TABLES.flatMap((table) =>
    attempt(() => Deno.readTextFileSync(table), "").split("\n")
  );
  return lines.some((line) => {
    const { from, state, user } = columnsOf(line);
    return state === LISTENING && portOf(from) === port && user !== ROOT && user !== Deno.uid();
  });
}

/** Tells that a host of a URL is this machine, by whatever name or address. False for a name without an
 * address. */
export async function isThisMachine(hostname: string): Promise<boolean> {
  const name = hostname.replace(/^\[|\]$/g, "");
  const addresses = await attempt(() => lookup(name, { all: true }), []);
  return addresses.some(({ address }) => !isOfOtherMachine({ hostname: address }));
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

/** Sockets that connect `remote` to the port `own`. */
function socketsIn(table: string, remote: Peer, own: number): Socket[] {
  const address = canonical(remote.hostname);
  return table.split("\n").flatMap((line) => {
    const { from, to, ...socket } = columnsOf(line);
    if (portOf(from) !== remote.port || portOf(to) !== own) return [];
    // An open connection from 127.0.0.1 says nothing of one from the same port of 127.0.0.2.
    if (canonical(addressOf(from)) !== address) return [];
    return [socket];
  });
}

function columnsOf(line: string): Socket & { readonly from: string; readonly to: string } {
  const [, from = "", to = "", state = "", , , , uid, , inode] = line.trim().split(/\s+/);
  return { from, to, state, user: Number(uid), inode: Number(inode) };
}

function portOf(end: string): number {
  return parseInt(end.slice(end.lastIndexOf(":") + 1), 16);
}

/** Address of an end, which the table has in words of four bytes, the last byte first. */
function addressOf(end: string): string {
  const words = end.slice(0, end.lastIndexOf(":")).matchAll(/(..)(..)(..)(..)/g);
  const groups = [...words].map(([, d, c, b, a]) => `${a}${b}:${c}${d}`);
  return groups.length === 1 ? `::ffff:${groups[0]}` : groups.join(":");
}

function isOfOtherMachine({ hostname }: Pick<Peer, "hostname">): boolean {
  const address = canonical(hostname);
  const isOwn = Deno.networkInterfaces().some((own) => canonical(own.address) === address);
  return !isOwn && !LOOPBACK.test(address);
}

/** One spelling of an IP address without its zone, the same for IPv4 and for IPv4 within IPv6. */
function canonical(address: string): string {
  const plain = address.replace(/%.*$/, "");
  return new URL(`http://[${plain.includes(":") ? plain : `::ffff:${plain}`}]`).hostname;
}
