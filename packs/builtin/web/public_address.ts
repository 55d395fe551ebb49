/** Check that an IP address, in any notation, is public. */

import ipaddr from "ipaddr.js";

/** Ranges for documentation: no network uses them. */
const DOCUMENTATION = ["192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24"]
  .map((range) => ipaddr.IPv4.parseCIDR(range));
/** Public address at which a cloud provider serves metadata to its machines. */
const METADATA = "168.63.129.16";
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR("2000::/3");
const PHRASES: Readonly<Record<string, string>> = {
  loopback: "is this machine",
  private: "is a private address",
  uniqueLocal: "is a private address",
  carrierGradeNat: "is a private address",
  linkLocal: "is a link-local address, where clouds keep their metadata",
  multicast: "is a multicast address",
  broadcast: "is a broadcast address",
  unspecified: "is no host's address",
};

/** Reason why an address is refused, or undefined for a public one. */
export function whyNotPublic(address: string): string | undefined {
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
