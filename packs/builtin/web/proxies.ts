/** Proxies that the environment names, as curl and others read it. */

/** URL of the proxy for a request, or undefined for a direct one. */
export function proxyFor(
  url: URL,
  environment: Readonly<Record<string, string>>,
): string | undefined {
  const scheme = url.protocol.slice(0, -1);
  const read = (name: string) => environment[name.toLowerCase()] ?? environment[name];
  // HTTP_PROXY in capitals is unsafe only in CGI programs, where a request can set it.
  const proxy = read(`${scheme.toUpperCase()}_PROXY`) || read("ALL_PROXY");
  if (!proxy || bypasses(url, read("NO_PROXY") ?? "")) return undefined;
  return /^[a-z0-9]+:\/\//i.test(proxy) ? proxy : `http://${proxy}`;
}

function bypasses({ hostname, host }: URL, list: string): boolean {
  return list.split(/[\s,]+/).filter(Boolean).some((entry) => {
    if (entry === "*") return true;
    const name = entry.toLowerCase().replace(/^\*?\./, "");
    return [hostname, host].some((one) => one === name || one.endsWith(`.${name}`));
  });
}
