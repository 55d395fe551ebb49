/** Resolves a URL to checked IP addresses. The connection uses these addresses, whatever the name
 * resolves to later. */

import { isOwnHost, type NameAsker, type NameLookup } from "#base";
import { PackError } from "../../errors.ts";
import type { AllowedHosts } from "./allowed_hosts.ts";
import ipaddr from "ipaddr.js";

/** Target of one request. */
export interface Destination {
  readonly url: URL;
  /** Allowed addresses to try; empty if a proxy resolves the name. */
  readonly addresses: readonly string[];
  /** True if only a setting allows the request. */
  readonly isPrivate: boolean;
}

export interface DestinationOptions extends NameAsker {
  readonly allowed: AllowedHosts;
  readonly names: NameLookup;
  /** True if a proxy resolves the name: then it need not resolve here. */
  readonly proxied: boolean;
}

/** Parses a URL. Throws `PackError`. */
export function webUrl(text: string): URL {
  const url = URL.parse(text.trim());
  const quoted = JSON.stringify(text.slice(0, 300));
  if (!url) throw refused(quoted, "it is no web address: begin it with https://");
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    throw refused(quoted, "only http: and https: addresses are fetched");
  }
  if (url.username !== "" || url.password !== "") {
    throw refused(`"${url.host}"`, "it carries a user name or password: leave them out");
  }
  url.hash = "";
  return url;
}

/** Looks the host up and checks all of its addresses. Throws `PackError`. */
export async function destinationOf(url: URL, options: DestinationOptions): Promise<Destination> {
  const { allowed, proxied } = options;
  const addresses = await resolveHost(url, options);
  if (allowed.name(url)) return { url, addresses, isPrivate: true };
  let isPrivate = false;
  for (const address of addresses) {
    const reason = whyNotPublic(address) ?? (isOwnHost(address) ? OWN : undefined);
    if (reason === undefined) continue;
    if (!allowed.address(address)) throw notPublic(url, reason);
    isPrivate = true;
  }
  if (addresses.length === 0 && isLocalName(url.hostname)) throw notPublic(url, "is a local name");
  return { url, addresses: proxied ? [] : addresses, isPrivate };
}

async function resolveHost(
  { hostname }: URL,
  { names, proxied, signal, run }: DestinationOptions,
): Promise<string[]> {
  signal.throwIfAborted();
  const bare = hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
  try {
    const addresses = await names.addresses(bare, { signal, run });
    return addresses.toSorted((a, b) => a.family - b.family).map(({ address }) => address);
  } catch (error) {
    if (proxied && !signal.aborted) return [];
    throw error;
  }
}

/** True for names that a proxy might resolve in its own network. */
function isLocalName(hostname: string): boolean {
  const name = hostname.replace(/(?<!\.)\.+$/, "");
  return !name.includes(".") ||
    /\.(?:localhost|localdomain|local|internal|intranet|private|corp|lan|home\.arpa)$/.test(name);
}

function notPublic({ host, hostname }: URL, reason: string): PackError {
  const add = `to fetch it all the same, add ${
    JSON.stringify(hostname)
  } to packs.web.allow_private`;
  return new PackError("blocked", `Cannot fetch "${host}": it ${reason}: ${add}`, {
    details: { reason: "private_address" },
  });
}

function refused(quoted: string, why: string): PackError {
  return new PackError("invalid_arguments", `Cannot fetch ${quoted}: ${why}`);
}

/** Ranges for documentation: no network uses them. */
const DOCUMENTATION = ["192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24"]
  .map((range) => ipaddr.IPv4.parseCIDR(range));
/** Public address at which a cloud provider serves metadata to its machines. */
const METADATA = "168.63.129.16";
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR("2000::/3");
/** Reason for addresses of this machine, those of its networks too: its firewall lets them pass. */
const OWN = "is this machine";
const PHRASES: Readonly<Record<string, string>> = {
  loopback: OWN,
  private: "is a private address",
  uniqueLocal: "is a private address",
  carrierGradeNat: "is a private address",
  linkLocal: "is a link-local address, where clouds keep their metadata",
  multicast: "is a multicast address",
  broadcast: "is a broadcast address",
  unspecified: "is no host's address",
};

/** Reason why an address is refused, or undefined for a public one. */
function whyNotPublic(address: string): string | undefined {
  if (!ipaddr.isValid(address)) return "is no address";
  const parsed = embedded(ipaddr.process(address));
  const range = parsed.range();
  if (parsed instanceof ipaddr.IPv4) {
    if (parsed.toString() === METADATA) return "is a cloud's metadata address";
    if (range === "unicast" || DOCUMENTATION.some((block) => parsed.match(block))) return undefined;
  } else if (range === "unicast" && parsed.match(GLOBAL_UNICAST)) return undefined;
  return PHRASES[range] ?? "is a reserved address";
}

/** IPv4 address that is embedded for a NAT64 translator (RFC 6052), else the address itself. */
function embedded(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 {
  if (address instanceof ipaddr.IPv4 || address.range() !== "rfc6052") return address;
  return new ipaddr.IPv4(address.toByteArray().slice(12));
}
