/** `packs.web.allow_private`: hosts that may be requested although they are not public. */

import ipaddr from "ipaddr.js";

export interface AllowedHosts {
  /** True for a URL whose host name is on the list: `localhost`, `*.internal`, `localhost:3000`. */
  name(url: URL): boolean;
  /** True for an IP address that is on the list or in a range of it: `10.1.0.0/16`. */
  address(address: string): boolean;
}

/** Reads the list. An invalid entry allows nothing. */
export function allowedHosts(patterns: readonly string[]): AllowedHosts {
  const ranges = patterns.flatMap((pattern) => rangeOf(pattern) ?? []);
  const names = patterns.filter((pattern) => !rangeOf(pattern)).map(hostPattern);
  return {
    name: (url) => names.some((matches) => matches(url)),
    address(address) {
      const parsed = ipaddr.process(address);
      return ranges.some(([from, bits]) =>
        parsed.kind() === from.kind() && parsed.match(from as ipaddr.IPv4, bits)
      );
    },
  };
}

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number];

function rangeOf(pattern: string): Range[] | undefined {
  const bare = pattern.replace(/^\[(.*)\]$/, "$1");
  if (ipaddr.isValidCIDR(bare)) return [ipaddr.parseCIDR(bare)];
  if (!ipaddr.IPv4.isValidFourPartDecimal(bare) && !ipaddr.IPv6.isValid(bare)) return undefined;
  const address = ipaddr.process(bare);
  return [[address, address.kind() === "ipv4" ? 32 : 128]];
}

function hostPattern(pattern: string): (url: URL) => boolean {
  const { host = "", port = "*" } =
    /^(?<host>\[.*\]|[^:]*)(?::(?<port>\d+|\*))?$/.exec(pattern.trim().toLowerCase())?.groups ?? {};
  const source = host.split("*").map((part) => RegExp.escape(part)).join("[^]*");
  const hosts = new RegExp(`^${source}$`);
  const isAddress = /^[\d.*]*\d[\d.*]*$/.test(host);
  return (url) => {
    const name = url.hostname.replace(/\.$/, "");
    // `192.168.1.*` is no name such as `192.168.1.example.com`, which anyone may own.
    if (isAddress && !ipaddr.IPv4.isValidFourPartDecimal(name)) return false;
    return host !== "" && hosts.test(name) && (port === "*" || port === portOf(url));
  };
}

function portOf({ port, protocol }: URL): string {
  return port || (protocol === "https:" ? "443" : "80");
}
