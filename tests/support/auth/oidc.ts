/** A real authorization server (npm oidc-provider) on this machine, and a browser at its forms. */

import { Provider } from "oidc-provider";
import { freePort } from "../port.ts";
import type { IssuedToken } from "./issuer.ts";

export interface OidcServer extends AsyncDisposable {
  readonly url: string;
  readonly tokens: { get(token: string): Promise<IssuedToken | undefined> };
  /** Signs in and consents in the forms; resolves to the address of the callback. */
  consent(url: string, user?: string): Promise<string>;
}

/** Starts the server: dynamic registration, PKCE, resource indicators, rotating refresh tokens. */
export async function startOidc(
  { resource, accessSeconds = 3600 }: {
    readonly resource: () => string;
    readonly accessSeconds?: number;
  },
): Promise<OidcServer> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const provider = new Provider(url, {
    cookies: { keys: [crypto.randomUUID()] },
    pkce: { required: () => true },
    rotateRefreshToken: true,
    issueRefreshToken: () => Promise.resolve(true),
    scopes: ["openid", "offline_access", "read"],
    ttl: { AccessToken: accessSeconds, RefreshToken: 86_400, Grant: 86_400, Session: 3600 },
    features: {
      registration: { enabled: true },
      revocation: { enabled: true },
      deviceFlow: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => resource(),
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({ scope: "read", accessTokenFormat: "opaque" }),
      },
    },
  });
  const server = provider.listen(port, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  return {
    url,
    tokens: {
      async get(token) {
        const stored = await provider.AccessToken.find(token);
        if (!stored) return undefined;
        const { accountId = "", scope = "", clientId = "" } = stored;
        return { user: accountId, scope, client: clientId, resource: null, revoked: false };
      },
    },
    consent: (address, user = "ana") => browse(address, user),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Follows redirects and fills in forms until the address is of another server. */
async function browse(address: string, user: string): Promise<string> {
  const { origin } = new URL(address);
  const cookies = new Map<string, string>();
  let request: RequestInit = {};
  let at = new URL(address);
  for (let step = 0; step < 20; step++) {
    if (at.origin !== origin) return at.href;
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(at, { ...request, headers: { cookie }, redirect: "manual" });
    for (const text of response.headers.getSetCookie()) {
      const [name = "", value = ""] = text.split(";")[0]?.split("=") ?? [];
      cookies.set(name, value);
    }
    const html = await response.text();
    const location = response.headers.get("location");
    if (location !== null) {
      at = new URL(location, at);
      request = {};
      continue;
    }
    const action = /<form[^>]*action="([^"]+)"/.exec(html)?.[1];
    const prompt = /name="prompt" value="([^"]+)"/.exec(html)?.[1];
    if (action === undefined || prompt === undefined) throw new Error(`No form: ${html}`);
    at = new URL(action, at);
    const body = new URLSearchParams({ prompt, login: user, password: "any" });
    request = { method: "POST", body };
  }
  throw new Error("Cannot consent: no end of forms");
}
