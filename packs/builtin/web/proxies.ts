/** The proxy that the environment names for a request, as curl and others read it. */

/** The address of the proxy, or undefined where the host is asked directly. */
export function proxyFor(
  url: URL,
  environment: Readonly<Record<string, string>>,
): string | undefined {
  const scheme = url.protocol.slice(0, -1);
  const read = (name: string) => environment[name.toLowerCase()] ?? environment[name];
  // HTTP_PROXY in capitals could come from a request's header in a CGI program; this is none.
  const proxy = read(`${scheme.toUpperCase()}_PROXY`) || read("ALL_PROXY");
  if (!proxy || bypasses(url, read("NO_PROXY") ?? "")) return undefined;
  return /^[a-z0-9]+:\/\//i.test(proxy) ? proxy : `http://${proxy}`;
}

function bypasses({ hostname, host }: URL, list: string): boolean {
  return list.split(/[\s,]+/).filter(Boolean).some((entry) => {
    if (entry === "*") return true;
    const name = entry.toLowerCase().replace(/^\*?\./, "");
    return [hostname, host].some((asked) => asked === name || asked.endsWith(`.${name}`));
  });
}
