/** An authorization server of ours that keeps to the standards, and breaks them on purpose. */

import { createHash } from "node:crypto";

export interface Quirks {
  /** As sent; null sends none. */
  expiresIn: number | string | null;
  /** A refresh token is good once; its second use revokes the whole family. */
  rotates: boolean;
  /** Answer of the token endpoint instead of the right one. */
  answer?: (form: URLSearchParams) => Response | undefined | Promise<Response | undefined>;
  /** Parameters of the redirect in place of the right ones. */
  redirect?: (parameters: URLSearchParams) => void;
  /** Answer for metadata instead of the right one. */
  metadata?: (request: Request) => Response | Promise<Response> | undefined;
  /** Fields of the metadata of the authorization server; undefined leaves one out. */
  fields: Record<string, unknown>;
  /** Polls that a device has to wait. */
  devicePolls: number;
}

interface Family {
  readonly client: string;
  readonly user: string;
  readonly scope: string;
  refresh: string;
  revoked: boolean;
}

export interface IssuedToken extends Pick<Family, "user" | "scope" | "client"> {
  readonly resource: string | null;
  revoked: boolean;
}

export interface Issuer extends AsyncDisposable {
  readonly url: string;
  readonly quirks: Quirks;
  /** Access tokens that are good. */
  readonly tokens: Map<string, IssuedToken>;
  /** Everything that must be in no log, error or file. */
  readonly secrets: Set<string>;
  /** Requests for tokens. */
  readonly forms: URLSearchParams[];
  /** Headers of those requests. */
  readonly tokenHeaders: Headers[];
  readonly registrations: Record<string, unknown>[];
  /** Paths of all requests. */
  readonly paths: string[];
  /** Refresh tokens that were taken. */
  redemptions(): number;
  /** Families that were revoked because a token came twice. */
  readonly killed: string[];
  /** A new sign-in without a browser. */
  grant(options: { user?: string; scope?: string; client?: string }): {
    access: string;
    refresh: string;
  };
  /** Opens an address of the authorization endpoint as a browser of `user` would; resolves to the
   * address that it is sent to. */
  consent(url: string, user?: string): Promise<string>;
}

/** Starts the server on this machine. */
export function startIssuer(changes: Partial<Quirks> = {}): Issuer {
  const quirks: Quirks = { expiresIn: 3600, rotates: true, fields: {}, devicePolls: 1, ...changes };
  const tokens = new Map<string, IssuedToken>();
  const families = new Map<string, Family>();
  const codes = new Map<string, URLSearchParams>();
  const devices = new Map<string, { polls: number; scope: string }>();
  const secrets = new Set<string>();
  const forms: URLSearchParams[] = [];
  const tokenHeaders: Headers[] = [];
  const registrations: Record<string, unknown>[] = [];
  const paths: string[] = [];
  const killed: string[] = [];
  let count = 0;

  const secret = (kind: string) => {
    const text = `${kind}-${crypto.randomUUID()}`;
    secrets.add(text);
    return text;
  };

  function issue(family: Family | undefined, token: Omit<IssuedToken, "revoked">): Response {
    const access = secret("at");
    tokens.set(access, { ...token, revoked: false });
    const { expiresIn: expires_in } = quirks;
    return Response.json({
      access_token: access,
      token_type: "Bearer",
      scope: token.scope,
      ...(expires_in === null ? {} : { expires_in }),
      ...(family ? { refresh_token: family.refresh } : {}),
    });
  }

  function addFamily(user: string, scope: string, client: string): Family {
    const family = { client, user, scope, refresh: secret("rt"), revoked: false };
    families.set(family.refresh, family);
    return family;
  }

  function refresh(form: URLSearchParams): Response {
    const sent = form.get("refresh_token") ?? "";
    const family = families.get(sent);
    if (!family || family.revoked) return refusal("invalid_grant");
    if (family.refresh !== sent) {
      family.revoked = true;
      killed.push(sent);
      for (const token of tokens.values()) if (token.user === family.user) token.revoked = true;
      return refusal("invalid_grant");
    }
    count++;
    if (quirks.rotates) {
      family.refresh = secret("rt");
      families.set(family.refresh, family);
    }
    const answer = issue(family, { ...family, resource: form.get("resource") });
    return answer;
  }

  async function token(request: Request): Promise<Response> {
    const form = new URLSearchParams(await request.text());
    forms.push(form);
    tokenHeaders.push(request.headers);
    const other = await quirks.answer?.(form);
    if (other) return other;
    const client = form.get("client_id") ?? basicUser(request) ?? "signed";
    const resource = form.get("resource");
    switch (form.get("grant_type")) {
      case "refresh_token":
        return refresh(form);
      case "client_credentials":
        return issue(undefined, { user: client, scope: form.get("scope") ?? "", client, resource });
      case "authorization_code": {
        const query = codes.get(form.get("code") ?? "");
        codes.delete(form.get("code") ?? "");
        const verifier = form.get("code_verifier") ?? "";
        const challenge = createHash("sha256").update(verifier).digest("base64url");
        if (!query || query.get("code_challenge") !== challenge) return refusal("invalid_grant");
        if (query.get("redirect_uri") !== form.get("redirect_uri")) return refusal("invalid_grant");
        const user = query.get("user") ?? "ana";
        const scope = query.get("scope") ?? "";
        return issue(addFamily(user, scope, client), { user, scope, client, resource });
      }
      case "urn:ietf:params:oauth:grant-type:device_code": {
        const device = devices.get(form.get("device_code") ?? "");
        if (!device) return refusal("invalid_grant");
        if (device.polls-- > 0) return refusal("authorization_pending");
        const { scope } = device;
        return issue(addFamily("ana", scope, client), { user: "ana", scope, client, resource });
      }
      default:
        return refusal("unsupported_grant_type");
    }
  }

  function authorize(url: URL): Response {
    const query = url.searchParams;
    const code = secret("code");
    codes.set(code, new URLSearchParams(query));
    const back = new URL(query.get("redirect_uri") ?? "");
    back.searchParams.set("code", code);
    back.searchParams.set("state", query.get("state") ?? "");
    back.searchParams.set("iss", origin);
    quirks.redirect?.(back.searchParams);
    return new Response(null, { status: 302, headers: { location: back.href } });
  }

  async function register(request: Request): Promise<Response> {
    const metadata = await request.json();
    registrations.push(metadata);
    const client_id = `client-${registrations.length}`;
    return Response.json({ ...metadata, client_id }, { status: 201 });
  }

  async function device(request: Request): Promise<Response> {
    const form = new URLSearchParams(await request.text());
    const device_code = secret("device");
    devices.set(device_code, { polls: quirks.devicePolls, scope: form.get("scope") ?? "" });
    return Response.json({
      device_code,
      user_code: "WDJB-MJHT",
      verification_uri: `${origin}/device`,
      expires_in: 600,
      interval: 1,
    });
  }

  async function revoke(request: Request): Promise<Response> {
    const form = new URLSearchParams(await request.text());
    forms.push(form);
    const family = families.get(form.get("token") ?? "");
    if (family) family.revoked = true;
    const access = tokens.get(form.get("token") ?? "");
    if (access) access.revoked = true;
    return new Response(null);
  }

  const metadata = (): Record<string, unknown> => ({
    issuer: origin,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    registration_endpoint: `${origin}/register`,
    revocation_endpoint: `${origin}/revoke`,
    device_authorization_endpoint: `${origin}/device_authorization`,
    response_types_supported: ["code"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    code_challenge_methods_supported: ["S256"],
    token_endpoint_auth_methods_supported: ["none", "client_secret_basic", "private_key_jwt"],
    authorization_response_iss_parameter_supported: true,
    ...quirks.fields,
  });

  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen() {} },
    async (request): Promise<Response> => {
      const url = new URL(request.url);
      paths.push(`${request.method} ${url.pathname}`);
      if (url.pathname.startsWith("/.well-known/oauth-authorization-server")) {
        return await quirks.metadata?.(request) ?? Response.json(metadata());
      }
      if (url.pathname === "/configured") return Response.json(metadata());
      if (url.pathname === "/authorize") return authorize(url);
      if (request.method !== "POST") return new Response("Not found", { status: 404 });
      if (url.pathname === "/token") return await token(request);
      if (url.pathname === "/register") return await register(request);
      if (url.pathname === "/revoke") return await revoke(request);
      if (url.pathname === "/device_authorization") return await device(request);
      return new Response("Not found", { status: 404 });
    },
  );
  const origin: string = `http://127.0.0.1:${server.addr.port}`;

  return {
    url: origin,
    quirks,
    tokens,
    secrets,
    forms,
    tokenHeaders,
    registrations,
    paths,
    killed,
    redemptions: () => count,
    grant({ user = "ana", scope = "", client = "client-1" }) {
      const family = addFamily(user, scope, client);
      const access = secret("at");
      tokens.set(access, { user, scope, client, resource: null, revoked: false });
      return { access, refresh: family.refresh };
    },
    async consent(url, user) {
      const address = new URL(url);
      if (user !== undefined) address.searchParams.set("user", user);
      const { status, headers } = await fetch(address, { redirect: "manual" });
      if (status !== 302) throw new Error(`Cannot consent: HTTP status ${status}`);
      return headers.get("location") ?? "";
    },
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

function refusal(error: string): Response {
  return Response.json({ error, error_description: "no" }, { status: 400 });
}

function basicUser(request: Request): string | undefined {
  const [scheme, value] = request.headers.get("authorization")?.split(" ") ?? [];
  return scheme === "Basic" && value ? atob(value).split(":")[0] : undefined;
}
