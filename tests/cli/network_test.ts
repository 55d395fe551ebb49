/** Servers behind a proxy, with certificates of a private authority, and with mutual TLS. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { dump } from "js-yaml";
import { type Certificates, openAuthority } from "../support/certificates.ts";
import { cli } from "../support/cli.ts";
import { openHttpsMcp, openProxy } from "../support/https_mcp.ts";

interface Place extends AsyncDisposable {
  readonly home: string;
  readonly cwd: string;
  readonly authority: Certificates;
  /** Names of the tools, and what was said of servers without any. */
  list(server: unknown, env?: Record<string, string>): Promise<{ names: string[]; stderr: string }>;
  /** What `auth header` prints. */
  header(server: unknown): ReturnType<typeof cli>;
}

async function openPlace(): Promise<Place> {
  const home = await Deno.realPath(await Deno.makeTempDir({ prefix: "toolscript-network-" }));
  const cwd = join(home, "project");
  await Deno.mkdir(join(cwd, ".onetool"), { recursive: true });
  const authority = await openAuthority(home);
  async function configure(server: unknown): Promise<void> {
    const config = { servers: { crm: server } };
    await Deno.writeTextFile(join(cwd, ".onetool", "onetool.yaml"), dump(config));
  }
  return {
    home,
    cwd,
    authority,
    async list(server, env = {}) {
      await configure(server);
      const { stdout, stderr } = await cli(["list", "crm", "--json"], { home, cwd, env });
      const tools: { name: string }[] = JSON.parse(stdout || "[]");
      return { names: tools.map(({ name }) => name), stderr };
    },
    async header(server) {
      await configure(server);
      return await cli(["auth", "header", "crm"], { home, cwd });
    },
    [Symbol.asyncDispose]: () => Deno.remove(home, { recursive: true }),
  };
}

Deno.test("a server with a certificate of a private authority is reached with tls.ca, or NODE_EXTRA_CA_CERTS", async () => {
  await using place = await openPlace();
  const { ca, issue } = place.authority;
  await using server = await openHttpsMcp(await issue("server", ["localhost"]));
  const url = `https://localhost:${server.port}/mcp`;
  const without = await place.list({ url });
  assert.deepEqual(without.names, []);
  assert.match(without.stderr, /No tools of "crm": cannot be reached|No tools of "crm"/);
  assert.deepEqual((await place.list({ url, tls: { ca } })).names, ["crm.for_anyone"]);
  const env = { NODE_EXTRA_CA_CERTS: ca };
  assert.deepEqual((await place.list({ url }, env)).names, ["crm.for_anyone"]);
});

Deno.test("a server that demands a certificate gets the one of tls.cert and tls.key", async () => {
  await using place = await openPlace();
  const { ca, issue } = place.authority;
  const own = await issue("server", ["localhost"]);
  await using server = await openHttpsMcp({ ...own, clientCa: ca });
  const url = `https://localhost:${server.port}/mcp`;
  assert.deepEqual((await place.list({ url, tls: { ca } })).names, []);
  const client = await issue("laptop");
  const { names } = await place.list({ url, tls: { ca, ...client } });
  assert.deepEqual(names, ["crm.for_laptop"]);
  const half = await place.list({ url, tls: { cert: client.cert } });
  assert.match(half.stderr, /"servers\.crm\.tls": a certificate and its key go together/);
});

Deno.test("an authorization server gets the certificates of tls too", async () => {
  await using place = await openPlace();
  const { ca, issue } = place.authority;
  await using server = await openHttpsMcp({
    ...await issue("server", ["localhost"]),
    clientCa: ca,
  });
  const origin = `https://localhost:${server.port}`;
  const oauth = {
    grant: "client_credentials",
    client_id: "ci",
    client_secret: "s3cr3t-of-ci",
    metadata_url: `${origin}/.well-known/oauth-authorization-server`,
  };
  const without = await place.header({ url: `${origin}/mcp`, oauth, tls: { ca } });
  assert.equal(without.code, 1, without.stderr);
  const tls = { ca, ...await issue("laptop") };
  const { stdout, stderr } = await place.header({ url: `${origin}/mcp`, oauth, tls });
  assert.equal(stdout, '{"Authorization":"Bearer token-for-laptop"}\n', stderr);
});

Deno.test("a server is reached through the proxy of HTTPS_PROXY, but for NO_PROXY", async () => {
  await using place = await openPlace();
  const { ca, issue } = place.authority;
  await using server = await openHttpsMcp(await issue("server", ["mcp.corp.test", "localhost"]));
  await using proxy = await openProxy(server.port);
  const env = { HTTPS_PROXY: `http://127.0.0.1:${proxy.port}`, NO_PROXY: "localhost,127.0.0.1" };
  const far = { url: "https://mcp.corp.test/mcp", tls: { ca } };
  assert.deepEqual((await place.list(far, env)).names, ["crm.for_anyone"]);
  // Deno itself asks for its newest version.
  const hosts = () => [...new Set(proxy.hosts)].filter((host) => host !== "dl.deno.land:443");
  assert.deepEqual(hosts(), ["mcp.corp.test:443"]);
  const near = { url: `https://localhost:${server.port}/mcp`, tls: { ca } };
  assert.deepEqual((await place.list(near, env)).names, ["crm.for_anyone"]);
  assert.deepEqual(hosts(), ["mcp.corp.test:443"]);
});
