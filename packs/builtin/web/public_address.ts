/** Which addresses belong to the open internet, in every way of writing one. */

import ipaddr from "ipaddr.js";

/** Ranges for documentation: they lead to nothing inside a network. */
const DOCUMENTATION = ["192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24"]
  .map((range) => ipaddr.IPv4.parseCIDR(range));
/** A public address at which one cloud's machines are told their secrets. */
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

/** Why an address may not be asked, or undefined where it is public. */
export function whyNotPublic(address: string): string | undefined {
  if (!ipaddr.isValid(address)) return "is no address";
  const parsed = embedded(ipaddr.process(address));
  const range = parsed.range();
  if (parsed instanceof ipaddr.IPv4) {
    if (parsed.toString() === METADATA) return "is a cloud's metadata address";
    if (range === "unicast" || DOCUMENTATION.some((known) => parsed.match(known))) return undefined;
  } else if (range === "unicast" && parsed.match(GLOBAL_UNICAST)) return undefined;
  return PHRASES[range] ?? "is a reserved address";
}

/** An IPv4 address that is reached through the network's translator (RFC 6052). */
function embedded(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 {
  if (address instanceof ipaddr.IPv4 || address.range() !== "rfc6052") return address;
  return new ipaddr.IPv4(address.toByteArray().slice(12));
}
