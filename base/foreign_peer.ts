/** Owner of the program at the other end of a connection within this machine. */

import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { attempt } from "./attempt.ts";

const TABLES = ["/proc/net/tcp", "/proc/net/tcp6"];
/** The system's own programs pass connections on. */
const ROOT = 0;
const ESTABLISHED = "01";
const LISTENING = "0A";
const LOCAL_NAME = /^(?:.*\.)?localhost$/;
/** Beginnings of addresses of IPv6 that hold one of IPv4: mapped, translated, compatible, NAT64 (RFC 6052
 * and 8215). The last covers `::` and `::1`. */
const BEFORE_IPV4 = ["0:0:0:0:0:ffff", "0:0:0:0:ffff:0", "64:ff9b:0:0:0:0", "0:0:0:0:0:0"];
const LOCAL_NAT64 = "64:ff9b:1:";
const SIX_TO_FOUR = "2002";
/** A table that changes while it is read may leave a connection out. */
const TRIES = 2;

type Peer = Pick<Deno.NetAddr, "hostname" | "port">;
/** Numbers of sockets (inodes). */
type Sockets = Pick<ReadonlySet<number>, "has">;

/** Returns true if a program of another user, or one that holds one of the sockets `shunned`, sent
 * the request from `remote` to the port `own` of this machine. A connection that is already closed
 * counts as another user's, since its owner is not shown. False where the system shows no owners,
 * as all but Linux. */
export function isForeignPeer(
  remote: Peer,
  own: number,
  shunned: Sockets = new Set(),
): boolean {
  for (let tries = 0; tries < TRIES; tries++) {
    const tables = readTables();
    // Too many files are open: another user may have seen to that.
    if (tables === undefined) return true;
    if (tables.every((table) => table === "")) return false;
    const sockets = tables.flatMap((table) => socketsIn(table, remote, own));
    const isTrusted = (socket: Socket) => isOurs(socket) && !shunned.has(socket.inode);
    if (sockets.length > 0 ? sockets.every(isTrusted) : isOfOtherMachine(remote)) return false;
  }
  return true;
}

/** Returns true if a program of another user listens at a port of this machine. For an address, the
 * listeners at that address count, if there are any; otherwise, and for a name, all at the port.
 * False where the system shows no owners, as all but Linux. */
export function isForeignListener({ hostname, port }: Peer): boolean {
  const tables = readTables();
  if (tables === undefined) return true;
  const listeners = tables.flatMap((table) => table.split("\n")).map(columnsOf)
    .filter(({ from, state }) => state === LISTENING && portOf(from) === port);
  const name = bareName(hostname);
  const address = isIP(name) === 0 ? undefined : canonical(name);
  const there = listeners.filter(({ from }) => canonical(addressOf(from)) === address);
  return (there.length > 0 ? there : listeners).some(({ user }) =>
    user !== ROOT && user !== Deno.uid()
  );
}

/** Tables of connections, empty where the system has or shows none: one without IPv6 has no second.
 * Undefined where no file can be opened. */
function readTables(): string[] | undefined {
  try {
    return TABLES.map(readTable);
  } catch {
    return undefined;
  }
}

function readTable(path: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch (error) {
    const { NotFound, PermissionDenied } = Deno.errors;
    if (error instanceof NotFound || error instanceof PermissionDenied) return "";
    throw error;
  }
}

/** Tells that a host of a URL is this machine, by whatever name or address. False for a name without an
 * address. */
export async function isThisMachine(
  hostname: string,
  addressesOf: (name: string) => Promise<readonly { readonly address: string }[]> = (name) =>
    lookup(name, { all: true }),
): Promise<boolean> {
  const name = bareName(hostname);
  if (isIP(name) !== 0 || LOCAL_NAME.test(name)) return isOwnHost(hostname);
  const addresses = await attempt(() => addressesOf(name), []);
  return addresses.some(({ address }) => !isOfOtherMachine({ hostname: address }));
}

/** Tells that a host of a URL is this machine without a look-up: false for every name but `localhost`
 * and those below it. */
export function isOwnHost(hostname: string): boolean {
  const name = bareName(hostname);
  return LOCAL_NAME.test(name) || isIP(name) !== 0 && !isOfOtherMachine({ hostname: name });
}

function bareName(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "").toLowerCase();
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
  return !isOwn && !isLoopback(address);
}

/** Tells that an address leads back to this machine, or stands for all of its addresses: 127.0.0.0/8,
 * 0.0.0.0/8, and what holds one of them. */
function isLoopback(address: string): boolean {
  const groups = groupsOf(address);
  const text = groups.join(":");
  const isSixToFour = groups[0] === SIX_TO_FOUR;
  const holdsIPv4 = isSixToFour || text.startsWith(LOCAL_NAT64) ||
    BEFORE_IPV4.includes(groups.slice(0, 6).join(":"));
  const high = parseInt(groups[isSixToFour ? 1 : 6] ?? "", 16) >> 8;
  return holdsIPv4 && (high === 127 || high === 0);
}

/** The eight groups of an address in its one spelling. */
function groupsOf(address: string): string[] {
  const [start = "", end] = address.slice(1, -1).split("::");
  const before = start === "" ? [] : start.split(":");
  if (end === undefined) return before;
  const after = end === "" ? [] : end.split(":");
  return [...before, ...Array<string>(8 - before.length - after.length).fill("0"), ...after];
}

/** One spelling of an IP address without its zone, the same for IPv4 and for IPv4 within IPv6. */
function canonical(address: string): string {
  const plain = address.replace(/%.*$/, "");
  return new URL(`http://[${plain.includes(":") ? plain : `::ffff:${plain}`}]`).hostname;
}
